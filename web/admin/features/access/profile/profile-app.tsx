import { Badge, Button, Center, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, ErrorAlert, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { Section } from '../../../components/section.tsx'
import { useWrite } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { useUser } from '../../../data/session.ts'
import { QrCode } from '../components/qr-code.tsx'
import { RecoveryCodesDialog } from '../components/recovery-codes.tsx'
import { Secret } from '../components/secret.tsx'

type TotpEnrolment = Item<'POST /second-factor/totp/begin/'>

/** Sets up the user's authenticator app with a QR code and a confirming code, or removes the app. */
export function AuthenticatorApp() {
  const { t } = useTranslation()
  const { totp } = useUser()
  const begin = useWrite('POST /second-factor/totp/begin/')
  const remove = useWrite('POST /second-factor/totp/remove/', ['GET /session/'])
  const [removing, setRemoving] = useState(false)
  const [enrolment, setEnrolment] = useState<TotpEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>([])
  return (
    <Section
      title={t('profile.totpTitle')}
      text={t('profile.totpText')}
      actions={
        <>
          <Badge color={totp ? 'teal' : 'gray'}>{t(totp ? 'profile.totpOn' : 'profile.totpOff')}</Badge>
          <Button
            variant="default"
            loading={begin.isPending}
            onClick={() => (totp ? setRemoving(true) : begin.mutate({}, { onSuccess: setEnrolment }))}
          >
            {t(totp ? 'profile.totpRemove' : 'profile.totpAdd')}
          </Button>
        </>
      }
    >
      <ErrorAlert error={begin.error} />
      <ConfirmDialog
        opened={removing}
        close={() => setRemoving(false)}
        title={t('profile.totpTitle')}
        text={t('profile.totpRemoveText')}
        action={t('profile.totpRemove')}
        danger
        confirm={async () => {
          await remove.mutateAsync({})
          toast(t('profile.totpRemoved'))
        }}
      />
      {enrolment && (
        <ConfirmApp
          enrolment={enrolment}
          close={() => setEnrolment(undefined)}
          done={(recoveryCodes) => {
            setEnrolment(undefined)
            setCodes(recoveryCodes)
            toast(t('profile.totpAdded'))
          }}
        />
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} close={() => setCodes([])} />}
    </Section>
  )
}

interface ConfirmAppProps {
  readonly enrolment: TotpEnrolment
  readonly done: (recoveryCodes: readonly string[]) => void
  readonly close: () => void
}

function ConfirmApp({ enrolment: { secret, uri }, done, close }: ConfirmAppProps) {
  const { t } = useTranslation()
  const confirm = useWrite('POST /second-factor/totp/confirm/', ['GET /session/'])
  const form = useWriteForm({
    initialValues: { code: '' },
    write: async (body) => done((await confirm.mutateAsync({ body })).recoveryCodes),
  })
  return (
    <Modal opened onClose={close} title={t('profile.totpTitle')} closeOnClickOutside={false}>
      <Form form={form} submitText={t('signIn.confirm')} beside={<CancelButton onClick={close} />}>
        <Text size="sm">{t('profile.totpScan')}</Text>
        <Center>
          <QrCode text={uri} label={t('profile.totpQr')} />
        </Center>
        <Secret label={t('profile.totpSecret')}>{secret}</Secret>
        <TextInput
          label={t('signIn.code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          data-autofocus
          {...form.fields.getInputProps('code')}
        />
      </Form>
    </Modal>
  )
}

/**
 * Shows how many recovery codes are left, and generates new ones; renders nothing for a user without a second factor.
 */
export function RecoveryCodes() {
  const { t } = useTranslation()
  const { totp, passkeys, recoveryCodes: count } = useUser()
  const renew = useWrite('POST /second-factor/recovery-codes/renew/', ['GET /session/'])
  const [asking, setAsking] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>([])
  if (!totp && passkeys === 0) return null
  return (
    <Section
      title={t('profile.recoveryTitle')}
      text={t('profile.recoveryText')}
      actions={
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('profile.recoveryRenew')}
        </Button>
      }
    >
      <Text size="sm">{t('profile.recoveryLeft', { count })}</Text>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={t('profile.recoveryRenew')}
        text={t('profile.recoveryRenewText')}
        action={t('profile.recoveryRenew')}
        confirm={async () => setCodes((await renew.mutateAsync({})).recoveryCodes)}
      />
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} close={() => setCodes([])} />}
    </Section>
  )
}
