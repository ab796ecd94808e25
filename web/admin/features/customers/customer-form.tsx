import { Group, Modal, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { WithHelp } from '../../components/help.tsx'
import { useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'

type Customer = Item<'GET /customers/one/'>

interface Values {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly timezone: string | null
  readonly language: string
}

interface AddProps {
  readonly close: () => void
  readonly open: (id: string) => void
}

/** Adds a customer and opens it. */
export function AddCustomer({ close, open }: AddProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /customers/add/', ['GET /customers/'])
  const form = useWriteForm<Values>({
    initialValues: { name: '', email: '', phone: '', timezone: null, language: '' },
    write: async (body) => {
      const { id } = await add.mutateAsync({ body })
      toast(t('customers.added', { name: body.name }))
      close()
      open(id)
    },
  })
  return (
    <Modal opened onClose={close} title={t('customers.add')}>
      <Form form={form} submitText={t('common.add')} beside={<CancelButton onClick={close} />}>
        <Fields fields={form.fields} />
      </Form>
    </Modal>
  )
}

interface EditProps {
  readonly customer: Customer
  readonly close: () => void
}

/** Changes a customer's name, contact data and language. */
export function EditCustomer({ customer, close }: EditProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /customers/edit/', ['GET /customers/', 'GET /customers/one/', 'GET /reservations/'])
  const { id, name, email, phone, more } = customer
  const form = useWriteForm<Values>({
    initialValues: { name, email, phone, timezone: more?.timezone ?? null, language: more?.language ?? '' },
    // Only changed fields are sent, since another user may have changed the others.
    write: async (values) => {
      const body = Object.fromEntries(Object.entries(values).filter(([field]) => form.fields.isDirty(field)))
      await edit.mutateAsync({ body: { id, ...body } })
      toast(t('common.saved'))
      close()
    },
  })
  return (
    <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
      <Fields fields={form.fields} />
    </Form>
  )
}

interface FieldsProps {
  readonly fields: Pick<UseFormReturnType<Values>, 'values' | 'getInputProps'>
}

function Fields({ fields }: FieldsProps) {
  const { t } = useTranslation()
  const { timezone } = fields.values
  const zones = useMemo(
    () => [...new Set([...(timezone ? [timezone] : []), ...Intl.supportedValuesOf('timeZone')])].sort(),
    [timezone],
  )
  return (
    <>
      <TextInput
        label={t('customers.name')}
        required
        data-autofocus
        autoComplete="off"
        {...fields.getInputProps('name')}
      />
      <TextInput
        label={t('customers.email')}
        description={t('customers.contactHelp')}
        type="email"
        autoComplete="off"
        {...fields.getInputProps('email')}
      />
      <TextInput label={t('customers.phone')} type="tel" autoComplete="off" {...fields.getInputProps('phone')} />
      <Group grow align="flex-start">
        <WithHelp label={t('customers.timezone')} help={t('customers.timezoneHelp')}>
          <Select
            label={t('customers.timezone')}
            placeholder={t('customers.asSite')}
            data={zones}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('customers.asSite') }}
            limit={50}
            {...fields.getInputProps('timezone')}
          />
        </WithHelp>
        <WithHelp label={t('customers.language')} help={t('customers.languageHelp')}>
          <TextInput
            label={t('customers.language')}
            placeholder={t('customers.asSite')}
            {...fields.getInputProps('language')}
          />
        </WithHelp>
      </Group>
    </>
  )
}
