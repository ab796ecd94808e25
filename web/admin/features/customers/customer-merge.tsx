import { Chip, Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { offeredResults } from '../../components/fields/offered-results.ts'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useLookup, useRead, useWrite } from '../../data/queries.ts'
import { failureOf } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'
import { Reasons, type SimilarCustomer } from './similar-customers.tsx'

const offered = 20
const debounceMilliseconds = 250
// The maximum length of a search text that the API accepts.
const maxSearchLength = 200

interface MergeProps {
  /** The customer that remains after the merge. */
  readonly customer: Item<'GET /customers/one/'>
  readonly close: () => void
}

/** The dialog that searches for the duplicate of a customer and merges it into that customer. */
export function MergeCustomer({ customer: { id, name }, close }: MergeProps) {
  const { t } = useTranslation()
  const merge = useWrite('POST /customers/merge/', ['GET /customers/', 'GET /customers/one/', 'GET /reservations/'])
  // The search starts with the first word of the customer's name, since the duplicate probably has the same name.
  const [search, setSearch] = useState(name.split(/\s/)[0] ?? '')
  const [sought] = useDebouncedValue(search, debounceMilliseconds)
  const query = { search: sought.slice(0, maxSearchLength), per_page: offered }
  const { data, error, isPlaceholderData } = useRead('GET /customers/', query)
  const form = useWriteForm({
    initialValues: { from: '' },
    validate: ({ from }) => ({ from: from === '' ? t('customers.mergeChoose') : null }),
    write: async ({ from }) => {
      await merge.mutateAsync({ body: { id, from } })
      toast(t('customers.merged'))
      close()
    },
  })
  const similar = useLookup('POST /customers/similar/', { body: { id } })
  const suggested = similar.data?.items ?? []
  const found = offeredResults(data?.items ?? [], {
    typed: search.trim(),
    isCurrent: sought === search && !isPlaceholderData,
    textOf: labelOf,
  }).filter((one) => one.id !== id)
  const others = [...found, ...suggested.filter((one) => !found.some((other) => other.id === one.id))]
  const refused = failureOf(error).fields.search
  return (
    <Modal opened onClose={close} title={t('customers.mergeTitle', { name })}>
      <Form form={form} submitText={t('customers.mergeDo')} beside={<CancelButton onClick={close} />}>
        <Text size="sm">{t('customers.mergeText', { name })}</Text>
        {suggested.length > 0 && (
          <Chip.Group
            value={form.fields.values.from || null}
            onChange={(from) => typeof from === 'string' && form.fields.setFieldValue('from', from)}
          >
            <Stack gap={6} role="group" aria-label={t('customers.similarTitle')}>
              <Text size="sm" fw={500}>
                {t('customers.similarTitle')}
              </Text>
              {suggested.map((one) => (
                <Group key={one.id} gap="xs" wrap="nowrap" className="breakable">
                  <Chip value={one.id} size="sm" radius="sm">
                    {one.name}
                  </Chip>
                  <Reasons of={one} />
                </Group>
              ))}
            </Stack>
          </Chip.Group>
        )}
        <Select
          label={t('customers.mergeOther')}
          data-autofocus
          openOnFocus={false}
          searchable
          allowDeselect={false}
          // The server matches more than the displayed text, so the select must not filter the customers again.
          filter={({ options }) => options}
          nothingFoundMessage={refused ?? t('table.emptySearch')}
          searchValue={search}
          onSearchChange={setSearch}
          data={others.map((one) => ({ value: one.id, label: labelOf(one) }))}
          {...form.fields.getInputProps('from')}
        />
      </Form>
    </Modal>
  )
}

function labelOf({ name, email, phone }: Pick<SimilarCustomer, 'name' | 'email' | 'phone'>): string {
  return [name, email || phone].filter(Boolean).join(' · ')
}
