import { PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm, type WriteForm } from '../../../components/fields/write-form.tsx'
import { refetch, useWrite } from '../../../data/queries.ts'
import { type Item, request } from '../../../data/request.ts'
import { translateMessage } from '../../../i18n/index.ts'

/** One calendar account as the panel lists it. */
export type ShownAccount = Item<'GET /calendar-accounts/'>['items'][number]

interface FormValues {
  readonly url: string
  readonly user: string
  readonly password: string
}

interface ConnectProps {
  readonly providerId: number
  readonly close: () => void
}

const pollMilliseconds = 500

/**
 * The dialog that connects a CalDAV account. The form stays open until the service has listed the calendars. If that
 * fails, the account is disconnected again, and the error is shown at the server URL or the password.
 */
export function ConnectAccount({ providerId, close }: ConnectProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /calendar-accounts/connect/', ['GET /calendar-accounts/'])
  const remove = useWrite('POST /calendar-accounts/remove/', ['GET /calendar-accounts/'])
  const missing = useMissing()
  const form = useWriteForm<FormValues>({
    initialValues: { url: '', user: '', password: '' },
    validate: missing,
    write: async (entered) => {
      const { id } = await add.mutateAsync({ body: { providerId, ...entered } })
      const { fault, calendars } = await firstListing(providerId, id)
      if (fault !== null) {
        await remove.mutateAsync({ body: { id } })
        form.fields.setFieldError(
          fault.code === 'calendar_fault_sign_in_refused' ? 'password' : 'url',
          translateMessage(fault),
        )
        return
      }
      await refetch(['GET /calendar-accounts/'])
      toast(t('accounts.connected', { count: calendars.length }))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('accounts.connectTitle')} size="lg">
      <Form form={form} submitText={t('accounts.connect')} beside={<CancelButton onClick={close} />}>
        <Fields form={form} serverHint={t('accounts.serverHint')} />
      </Form>
    </Modal>
  )
}

/**
 * Waits until the service has listed the calendars of an account for the first time or has failed to list them, and
 * returns the calendars and the error. Polls every 500 milliseconds.
 */
async function firstListing(providerId: number, id: string): Promise<Pick<ShownAccount, 'fault' | 'calendars'>> {
  for (;;) {
    const { items } = await request('GET /calendar-accounts/', { query: { providerId } })
    const found = items.find((account) => account.id === id)
    if (found?.foundAt !== null || found.fault !== null) return found ?? { fault: null, calendars: [] }
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds))
  }
}

interface EditProps {
  readonly account: ShownAccount
  readonly close: () => void
}

/** A form that changes the credentials of a calendar account; an empty server URL leaves the stored URL unchanged. */
export function EditAccount({ account: { id, user: known, host }, close }: EditProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /calendar-accounts/edit/', ['GET /calendar-accounts/', 'GET /calendars/'])
  const missing = useMissing()
  const form = useWriteForm<FormValues>({
    initialValues: { url: '', user: known, password: '' },
    validate: ({ user, password }) => missing({ user, password }),
    write: async ({ url, ...entered }) => {
      await edit.mutateAsync({ body: { id, ...entered, ...(url.trim() !== '' && { url }) } })
      toast(t('common.saved'))
      close()
    },
  })
  return (
    <Modal opened onClose={close} title={t('accounts.editTitle', { host })} size="lg">
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        <Fields form={form} serverHint={t('accounts.serverKept', { host })} />
      </Form>
    </Modal>
  )
}

/** Returns a validator of the form that reports the fields that are empty. */
function useMissing() {
  const { t } = useTranslation()
  return ({ url, user, password }: Partial<FormValues>) => ({
    ...(url?.trim() === '' && { url: t('accounts.serverMissing') }),
    ...(user?.trim() === '' && { user: t('accounts.userMissing') }),
    ...(password === '' && { password: t('accounts.passwordMissing') }),
  })
}

interface FieldsProps {
  readonly form: WriteForm<FormValues>
  readonly serverHint: string
}

function Fields({ form: { fields }, serverHint }: FieldsProps) {
  const { t } = useTranslation()
  const plain = { autoComplete: 'off', spellCheck: false } as const
  return (
    <>
      <TextInput
        label={t('accounts.server')}
        description={serverHint}
        inputMode="url"
        data-autofocus
        {...plain}
        {...fields.getInputProps('url')}
      />
      <TextInput label={t('accounts.user')} {...plain} {...fields.getInputProps('user')} />
      <PasswordInput
        label={t('accounts.password')}
        description={t('accounts.passwordHint')}
        autoComplete="new-password"
        {...fields.getInputProps('password')}
      />
    </>
  )
}
