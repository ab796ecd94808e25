import { Button, Checkbox, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type UserRole, userRoles } from '../../../../../src/access/users/user.ts'
import { Drawer } from '../../../components/dialogs/drawer.tsx'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, ErrorAlert, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { WithHelp } from '../../../components/help.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { useRead, useWrite } from '../../../data/queries.ts'
import { type Item, request } from '../../../data/request.ts'
import { Secret } from '../components/secret.tsx'

type User = Item<'GET /users/'>
type Link = Item<'POST /users/add/'>

interface RoleValues {
  /** The role of the user; null until a role is chosen. */
  readonly role: UserRole | null
  /** The id of the linked provider; empty or null when no provider is linked. */
  readonly providerId: string | null
}

/** The dialog that adds a user, then shows the link with which the user sets a password. */
export function AddUserForm({ close }: { readonly close: () => void }) {
  const { t } = useTranslation()
  const add = useWrite('POST /users/add/', ['GET /users/'])
  const [link, setLink] = useState<Link>()
  const form = useWriteForm<RoleValues & { readonly name: string; readonly email: string }>({
    initialValues: { name: '', email: '', role: null, providerId: '' },
    validate: ({ role }) => (role === null ? { role: t('team.roleMissing') } : {}),
    write: async ({ name, email, ...values }) => {
      setLink(await add.mutateAsync({ body: { name, email, ...roleBody(values) } }))
    },
  })
  if (link)
    return <LinkDialog name={form.fields.values.name} email={form.fields.values.email} link={link} close={close} />
  return (
    <Modal opened onClose={close} title={t('team.addTitle')}>
      <Form form={form} submitText={t('common.add')} beside={<CancelButton onClick={close} />}>
        <TextInput label={t('team.name')} data-autofocus autoComplete="off" {...form.fields.getInputProps('name')} />
        <TextInput label={t('team.email')} type="email" autoComplete="off" {...form.fields.getInputProps('email')} />
        <RoleFields fields={form.fields} />
      </Form>
    </Modal>
  )
}

interface UserProps {
  readonly user: User
  readonly close: () => void
}

/** Changes a user's name, role, linked provider and status. */
export function EditUserForm({ user, close }: UserProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /users/edit/', ['GET /users/', 'GET /session/'])
  const { id, name, role, providerId, status } = user
  const form = useWriteForm<RoleValues & { readonly name: string; readonly status: User['status'] }>({
    initialValues: { name, role, providerId: providerId === null ? '' : String(providerId), status },
    write: async ({ name, status, ...values }) => {
      const wanted = { name, status, ...roleBody(values) }
      // Unchanged fields are omitted, since the mere presence of some fields makes the service require recent
      // authentication.
      const changes = Object.entries(wanted).filter(([field, value]) => value !== Object(user)[field])
      await edit.mutateAsync({ body: { id, ...Object.fromEntries(changes) } })
      toast(t('common.saved'))
      close()
    },
  })
  return (
    <Drawer opened onClose={close} title={t('team.editTitle', { name: name || user.email })} size="md">
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        <TextInput label={t('team.email')} value={user.email} readOnly variant="filled" />
        <TextInput label={t('team.name')} data-autofocus autoComplete="off" {...form.fields.getInputProps('name')} />
        <RoleFields fields={form.fields} />
        <WithHelp label={t('team.status')} help={t('team.disabledHelp')}>
          <Select
            label={t('team.status')}
            data={(['active', 'disabled'] as const).map((value) => ({ value, label: t(`team.${value}`) }))}
            allowDeselect={false}
            {...form.fields.getInputProps('status')}
          />
        </WithHelp>
      </Form>
    </Drawer>
  )
}

/** Creates a password link for a user; the link can also remove the user's second factors. */
export function NewLink({ user, close }: UserProps) {
  const { t } = useTranslation()
  const make = useWrite('POST /users/link/', ['GET /users/'])
  const [link, setLink] = useState<Link>()
  const name = user.name || user.email
  const form = useWriteForm({
    initialValues: { liftSecondFactor: false },
    write: async (values) => setLink(await make.mutateAsync({ body: { id: user.id, ...values } })),
  })
  if (link) return <LinkDialog name={name} email={user.email} link={link} close={close} />
  return (
    <Modal opened onClose={close} title={t('team.newLink')}>
      <Form form={form} submitText={t('team.makeLink')} beside={<CancelButton onClick={close} />}>
        <Text size="sm">{t('team.newLinkText', { name })}</Text>
        {user.secondFactor && (
          <Checkbox
            label={t('team.liftSecondFactor')}
            {...form.fields.getInputProps('liftSecondFactor', { type: 'checkbox' })}
          />
        )}
      </Form>
    </Modal>
  )
}

interface LinkDialogProps {
  readonly name: string
  readonly email: string
  readonly link: Link
  readonly close: () => void
}

function LinkDialog({ name, email, link: { id, link, expiresAt }, close }: LinkDialogProps) {
  const { t } = useTranslation()
  const mail = useRead('GET /password/forgotten/', {})
  const send = useWriteForm({
    initialValues: {},
    write: async () => {
      await request('POST /users/send-link/', { body: { id } })
      toast(t('team.mailed', { email }))
      close()
    },
  })
  const { dateTime, zone } = useFormats()
  return (
    <Modal opened onClose={close} title={t('team.linkTitle', { name })} showsOnce>
      <Stack>
        <Secret label={t('team.link')} text={t('team.linkText', { name, until: `${dateTime(expiresAt)} (${zone})` })}>
          {link}
        </Secret>
        <ErrorAlert error={send.problem} />
        {mail.data?.available && (
          <Button variant="default" loading={send.pending} onClick={() => send.submit()}>
            {t('team.mailLink')}
          </Button>
        )}
        <Button onClick={close}>{t('common.close')}</Button>
      </Stack>
    </Modal>
  )
}

interface RoleFieldsProps {
  readonly fields: Pick<UseFormReturnType<RoleValues>, 'values' | 'getInputProps'>
}

function RoleFields({ fields }: RoleFieldsProps) {
  const { t } = useTranslation()
  const { data } = useRead('GET /providers/', { sort: 'name', per_page: 500 })
  const { role } = fields.values
  return (
    <>
      <Select
        label={t('team.role')}
        data={userRoles.map((value) => ({ value, label: t(`roles.${value}`) }))}
        renderOption={({ option: { value, label } }) => (
          <div>
            <Text size="sm">{label}</Text>
            <Text size="xs" c="dimmed">
              {t(`team.roleTexts.${value as UserRole}`)}
            </Text>
          </div>
        )}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={role && t(`team.roleTexts.${role}`)}
        allowDeselect={false}
        {...fields.getInputProps('role')}
      />
      {role === 'provider' && (
        <WithHelp label={t('team.provider')} help={t('team.providerHelp')}>
          <Select
            label={t('team.provider')}
            data={data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
            searchable
            limit={50}
            {...fields.getInputProps('providerId')}
          />
        </WithHelp>
      )}
    </>
  )
}

// Returns the fields of a request that set a role. Only a user with the role `provider` is linked to a provider; with
// any other role `providerId` is null.
function roleBody({ role, providerId }: RoleValues) {
  return { role: role ?? 'read_only', providerId: role === 'provider' && providerId ? Number(providerId) : null }
}
