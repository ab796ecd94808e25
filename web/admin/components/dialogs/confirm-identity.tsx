import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { reauthenticateByPasskey, supportsPasskeys } from '../../data/passkeys.ts'
import { resolveReauthentication } from '../../data/reauthentication.ts'
import { request } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { CancelButton, ErrorAlert, Form, useWriteForm } from '../fields/write-form.tsx'
import { StackedModal } from './stacked-modal.tsx'

/**
 * Asks for the password and the second factor, if any, or for a passkey, then resumes the requests that wait for recent
 * authentication. When the user cancels, these requests fail. The page behind the dialog stays open.
 */
export default function ConfirmIdentity() {
  const { t } = useTranslation()
  const user = useUser()
  const { totp, passkeys } = user
  const [recovery, setRecovery] = useState(!totp)
  const second = totp || passkeys > 0
  const form = useWriteForm({
    initialValues: { password: '', code: '', recoveryCode: '' },
    write: async ({ password, code, recoveryCode }) => {
      const typed = second ? (recovery ? { recoveryCode } : { code }) : {}
      const { state } = await request('POST /session/authenticate/', { body: { password, ...typed } })
      // The service asks for a second factor although this form has no field for one: the factor was added in another
      // session after the page had loaded. The reloaded page asks for it.
      if (state === 'second_factor') location.reload()
      else resolveReauthentication(true)
    },
  })
  const leave = (): void => resolveReauthentication(false)
  const withPasskey = passkeys > 0 && supportsPasskeys()
  return (
    <StackedModal opened onClose={leave} title={t('profile.confirmTitle')} closeOnClickOutside={false}>
      <Stack gap="sm">
        {withPasskey && (
          <>
            {!totp && <Text size="sm">{t('security.proof.passkeyFirst')}</Text>}
            <PasskeyConfirmation />
            <Divider label={t('signIn.or')} />
          </>
        )}
        <Form form={form} submitText={t('signIn.confirm')} beside={<CancelButton onClick={leave} />}>
          {!withPasskey && <Text size="sm">{t('profile.confirmText')}</Text>}
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            data-autofocus
            {...form.fields.getInputProps('password')}
          />
          {second &&
            (recovery ? (
              <TextInput
                label={t('signIn.recoveryCode')}
                autoComplete="off"
                {...form.fields.getInputProps('recoveryCode')}
              />
            ) : (
              <TextInput
                label={t('signIn.code')}
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={6}
                {...form.fields.getInputProps('code')}
              />
            ))}
          {totp && (
            <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!recovery)}>
              {t(recovery ? 'security.proof.useCode' : 'security.proof.useRecovery')}
            </Anchor>
          )}
        </Form>
      </Stack>
    </StackedModal>
  )
}

function PasskeyConfirmation() {
  const { t } = useTranslation()
  const [state, setState] = useState<'idle' | 'pending' | 'declined'>('idle')
  const [problem, setProblem] = useState<unknown>()
  const use = (): void => {
    setState('pending')
    setProblem(undefined)
    void reauthenticateByPasskey().then(
      (proved) => (proved ? resolveReauthentication(true) : setState('declined')),
      (error: unknown) => {
        setState('idle')
        setProblem(error)
      },
    )
  }
  return (
    <>
      <ErrorAlert error={problem} />
      <Button
        variant="default"
        fullWidth
        leftSection={<IconKey size={18} stroke={1.5} />}
        loading={state === 'pending'}
        onClick={use}
      >
        {t('signIn.usePasskey')}
      </Button>
      <Text size="sm" c="red" role="status">
        {state === 'declined' && t('signIn.passkeyNo')}
      </Text>
    </>
  )
}
