import { Button, Group, Modal, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'

interface CancelDialogProps {
  /** The customer and the time of the reservation. */
  readonly text: string
  readonly cancel: (reason: string) => void
  readonly close: () => void
}

const suggested = ['customer', 'ill', 'provider', 'duplicate'] as const

/** Asks for the reason of a cancellation, with suggestions; the reason is optional. */
export function CancelDialog({ text, cancel, close }: CancelDialogProps) {
  const { t } = useTranslation()
  const form = useWriteForm({
    initialValues: { reason: '' },
    write: async ({ reason }) => {
      close()
      cancel(reason.trim())
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t('cancellation.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form form={form} submitText={t('reservations.cancel')} beside={<CancelButton onClick={close} />}>
        <Text size="sm" className="breakable">
          {text}
        </Text>
        <TextInput
          label={t('cancellation.reason')}
          description={t('cancellation.internal')}
          maxLength={500}
          data-autofocus
          {...form.fields.getInputProps('reason')}
        />
        <Group gap={6}>
          {suggested.map((one) => {
            const text = t(`cancellation.reasons.${one}`)
            return (
              <Button
                key={one}
                size="compact-sm"
                variant="default"
                onClick={() => form.fields.setFieldValue('reason', text)}
              >
                {text}
              </Button>
            )
          })}
        </Group>
      </Form>
    </Modal>
  )
}
