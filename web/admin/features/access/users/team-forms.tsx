import { Button, Checkbox, Drawer, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UserRole } from '../../../../../src/access/users/user.ts'
import { toast } from '../../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { WithHelp } from '../../../components/help.tsx'
import type { Item } from '../../../data/ask.ts'
import { useFormats } from '../../../data/dates/formats.ts'
import { useRead, useWrite } from '../../../data/queries.ts'
import { Secret } from '../components/secret.tsx'

type Person = Item<'GET /people/'>
type Link = Item<'POST /people/add/'>

interface RoleValues {
  readonly role: UserRole
  /** Empty or null for none. */
  readonly providerId: string | null
}

/** Adds someone and shows the link that sets their password. */
export function AddPerson({ close }: { readonly close: () => void }) {
  const { t } = useTranslation()
  const add = useWrite('POST /people/add/', ['GET /people/'])
  const [link, setLink] = useState<Link>()
  const form = useWriteForm<RoleValues & { readonly name: string; readonly email: string }>({
    initialValues: { name: '', email: '', role: 'manager', providerId: '' },
    write: async ({ name, email, ...values }) => {
      setLink(await add.mutateAsync({ body: { name, email, ...roleBody(values) } }))
    },
  })
  if (link) return <LinkDialog name={form.fields.values.name} link={link} close={close} />
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

interface PersonProps {
  readonly person: Person
  readonly close: () => void
}

/** Changes someone's name, role and status. */
export function EditUserForm({ person, close }: PersonProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /people/edit/', ['GET /people/', 'GET /session/'])
  const { id, name, role, providerId, status } = person
  const form = useWriteForm<RoleValues & { readonly name: string; readonly status: Person['status'] }>({
    initialValues: { name, role, providerId: providerId === null ? '' : String(providerId), status },
    write: async ({ name, status, ...values }) => {
      const wanted = { name, status, ...roleBody(values) }
      // What stays is not sent: only some changes ask the person to confirm who they are.
      const changes = Object.entries(wanted).filter(([field, value]) => value !== Object(person)[field])
      await edit.mutateAsync({ body: { id, ...Object.fromEntries(changes) } })
      toast(t('common.saved'))
      close()
    },
  })
  return (
    <Drawer opened onClose={close} title={t('team.editTitle', { name: name || person.email })} size="md">
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        <TextInput label={t('team.email')} value={person.email} readOnly variant="filled" />
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

/** Makes a new link for someone who lost the password, or the phone as well. */
export function NewLink({ person, close }: PersonProps) {
  const { t } = useTranslation()
  const make = useWrite('POST /people/link/', ['GET /people/'])
  const [link, setLink] = useState<Link>()
  const name = person.name || person.email
  const form = useWriteForm({
    initialValues: { liftSecondFactor: false },
    write: async (values) => setLink(await make.mutateAsync({ body: { id: person.id, ...values } })),
  })
  if (link) return <LinkDialog name={name} link={link} close={close} />
  return (
    <Modal opened onClose={close} title={t('team.newLink')}>
      <Form form={form} submitText={t('team.makeLink')} beside={<CancelButton onClick={close} />}>
        <Text size="sm">{t('team.newLinkText', { name })}</Text>
        {person.secondFactor && (
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
  readonly link: Link
  readonly close: () => void
}

function LinkDialog({ name, link: { link, expiresAt }, close }: LinkDialogProps) {
  const { t } = useTranslation()
  const { dateTime, zone } = useFormats()
  return (
    <Modal opened onClose={close} title={t('team.linkTitle', { name })} closeOnClickOutside={false}>
      <Stack>
        <Secret label={t('team.link')} text={t('team.linkText', { name, until: `${dateTime(expiresAt)} (${zone})` })}>
          {link}
        </Secret>
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
  return (
    <>
      <WithHelp label={t('team.role')} help={t('team.roleHelp')}>
        <Select
          label={t('team.role')}
          data={(['admin', 'manager', 'provider'] as const).map((value) => ({ value, label: t(`roles.${value}`) }))}
          allowDeselect={false}
          {...fields.getInputProps('role')}
        />
      </WithHelp>
      {fields.values.role === 'provider' && (
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

// Only the role provider has one; whoever becomes something else loses it.
function roleBody({ role, providerId }: RoleValues) {
  return { role, providerId: role === 'provider' && providerId ? Number(providerId) : null }
}
