import { Modal, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm, type WriteForm } from '../../../components/fields/write-form.tsx'
import { refetch, useWrite } from '../../../data/queries.ts'
import { type Item, request } from '../../../data/request.ts'
import { say } from '../../../i18n/index.ts'

/** One calendar account as the panel lists it. */
export type ShownAccount = Item<'GET /calendar-accounts/'>['items'][number]

interface Entered {
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
 * Connects an account. The form stays open until its calendars have been listed: an account that cannot be reached is
 * disconnected again, and the reason is shown at its address or password.
 */
export function ConnectAccount({ providerId, close }: ConnectProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /calendar-accounts/connect/', ['GET /calendar-accounts/'])
  const remove = useWrite('POST /calendar-accounts/remove/', ['GET /calendar-accounts/'])
  const missing = useMissing()
  const form = useWriteForm<Entered>({
    initialValues: { url: '', user: '', password: '' },
    validate: missing,
    write: async (entered) => {
      const { id } = await add.mutateAsync({ body: { providerId, ...entered } })
      const { fault, calendars } = await firstListing(providerId, id)
      if (fault !== null) {
        await remove.mutateAsync({ body: { id } })
        form.fields.setFieldError(fault.code === 'calendar_fault_sign_in_refused' ? 'password' : 'url', say(fault))
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

/** Waits until the calendars of an account have been listed for the first time, or could not be. */
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

/** Changes the credentials of an account; an empty address keeps the stored one. */
export function EditAccount({ account: { id, user: known, host }, close }: EditProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /calendar-accounts/edit/', ['GET /calendar-accounts/', 'GET /calendars/'])
  const missing = useMissing()
  const form = useWriteForm<Entered>({
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

/** Returns a function that names the fields which are missing. */
function useMissing() {
  const { t } = useTranslation()
  return ({ url, user, password }: Partial<Entered>) => ({
    ...(url?.trim() === '' && { url: t('accounts.serverMissing') }),
    ...(user?.trim() === '' && { user: t('accounts.userMissing') }),
    ...(password === '' && { password: t('accounts.passwordMissing') }),
  })
}

interface FieldsProps {
  readonly form: WriteForm<Entered>
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
