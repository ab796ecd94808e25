import { ActionIcon, Button, Group, Select, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { WithHelp } from '../../components/help.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { SimilarCustomers } from './similar-customers.tsx'

type Customer = Item<'GET /customers/one/'>

interface Values {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly timezone: string | null
  readonly language: string
  readonly birthday: string | null
  readonly tags: string[]
  readonly phones: { label: string; number: string }[]
}

/**
 * Maps a field name in an error of the service to the name of the form field: the service nests some fields in the
 * object `details` (`details.birthday`), the form nests none.
 */
function fieldOf(name: string): string {
  return name.replace(/^details\./, '')
}

interface AddProps {
  readonly close: () => void
  readonly open: (id: string) => void
}

/** The dialog that adds a customer and then opens the new customer's drawer. */
export function AddCustomer({ close, open }: AddProps) {
  const { t } = useTranslation()
  const add = useWrite('POST /customers/add/', ['GET /customers/'])
  const form = useWriteForm<Values>({
    initialValues: { ...emptyCustomer, birthday: null, tags: [], phones: [] },
    fieldOf,
    write: async ({ birthday, tags, phones, ...body }) => {
      const { id } = await add.mutateAsync({ body: { ...body, details: { birthday, tags, phones } } })
      toast(t('customers.added', { name: body.name }))
      close()
      open(id)
    },
  })
  const openKnown = (id: string): void => {
    close()
    open(id)
  }
  return (
    <Modal opened onClose={close} title={t('customers.add')}>
      <Form form={form} submitText={t('common.add')} beside={<CancelButton onClick={close} />}>
        <Fields fields={form.fields} />
        <SimilarCustomers query={form.fields.values} open={openKnown} />
      </Form>
    </Modal>
  )
}

interface EditProps {
  readonly customer: Customer
  readonly close: () => void
}

/** The form that changes a customer's name, contact data, time zone, language, birthday and tags. */
export function EditCustomer({ customer, close }: EditProps) {
  const { t } = useTranslation()
  const edit = useWrite('POST /customers/edit/', [
    'GET /customers/',
    'GET /customers/one/',
    'GET /customers/tags/',
    'GET /reservations/',
  ])
  const { id, name, email, phone, tags, more } = customer
  const form = useWriteForm<Values>({
    initialValues: {
      ...{ name, email, phone, timezone: more?.timezone ?? null, language: more?.language ?? '' },
      birthday: more?.birthday ?? null,
      tags: [...tags],
      phones: more?.phones.map((one) => ({ ...one })) ?? [],
    },
    fieldOf,
    write: async ({ birthday, tags: entered, phones, ...rest }) => {
      const details = form.changedOf({ birthday, tags: entered, phones })
      await edit.mutateAsync({ body: { id, ...form.changedOf(rest), details } })
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

const emptyCustomer = { name: '', email: '', phone: '', timezone: null, language: '' }

interface FieldsProps {
  readonly fields: Pick<UseFormReturnType<Values>, 'values' | 'getInputProps' | 'insertListItem' | 'removeListItem'>
}

// The maximum number of phone numbers that a customer can have besides the main one.
const maxPhones = 5

function Fields({ fields }: FieldsProps) {
  const { t } = useTranslation()
  const { timezone, phones } = fields.values
  const known = useRead('GET /customers/tags/', {})
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
      {phones.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: numbers have no identity of their own
        <Group key={index} align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            label={t('customers.phoneLabel')}
            placeholder={t('customers.phoneLabelHint')}
            maxLength={40}
            w={130}
            autoComplete="off"
            {...fields.getInputProps(`phones.${index}.label`)}
          />
          <TextInput
            label={t('customers.phoneNumber', { count: index + 2 })}
            type="tel"
            maxLength={50}
            flex={1}
            autoComplete="off"
            {...fields.getInputProps(`phones.${index}.number`)}
          />
          <ActionIcon
            size={36}
            aria-label={`${t('common.remove')}: ${t('customers.phoneNumber', { count: index + 2 })}`}
            onClick={() => fields.removeListItem('phones', index)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      ))}
      {phones.length < maxPhones && (
        <Button
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          leftSection={<IconPlus size={14} />}
          onClick={() => fields.insertListItem('phones', { label: '', number: '' })}
        >
          {t('customers.phoneAdd')}
        </Button>
      )}
      <Group grow align="flex-start">
        <DateField
          label={t('customers.birthday')}
          usualDecade="1980-01-01"
          missingYear="past"
          clearable
          autoComplete="off"
          {...fields.getInputProps('birthday')}
        />
        <TagsInput
          label={t('customers.tags')}
          placeholder={t('customers.tagsHint')}
          data={known.data?.tags.slice() ?? []}
          maxTags={20}
          maxLength={40}
          {...fields.getInputProps('tags')}
        />
      </Group>
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
