import { Modal, PasswordInput, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CancelButton, Form, useWriteForm } from './write-form.tsx'

interface PasswordDialogProps {
  readonly title: string
  /** What happens when it is confirmed. */
  readonly text?: string
  readonly action: string
  /** Does it with the password; what it throws is shown. */
  readonly confirm: (password: string) => Promise<unknown>
  readonly close: () => void
  /** More to fill in before. */
  readonly children?: ReactNode
}

/** Asks for the own password before something that guards the account is changed. */
export function PasswordDialog({ title, text, action, confirm, close, children }: PasswordDialogProps) {
  const { t } = useTranslation()
  const form = useWriteForm({
    initialValues: { password: '' },
    write: async ({ password }) => confirm(password),
  })
  return (
    <Modal opened onClose={close} title={title}>
      <Form form={form} submitText={action} beside={<CancelButton onClick={close} />}>
        {text && <Text size="sm">{text}</Text>}
        {children}
        <PasswordInput
          label={t('profile.current')}
          autoComplete="current-password"
          data-autofocus={children === undefined ? true : undefined}
          {...form.fields.getInputProps('password')}
        />
      </Form>
    </Modal>
  )
}
