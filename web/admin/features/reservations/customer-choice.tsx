import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { offeredResults } from '../../components/fields/offered-results.ts'
import { useRead } from '../../data/queries.ts'

interface CustomerChoiceProps {
  /** The id of the selected customer; empty when no customer is selected. */
  readonly value: string
  /**
   * The customer who is selected when the field is mounted, whose id is `value`; the field shows the name. Absent when
   * no customer is selected.
   */
  readonly known?: { readonly id: string; readonly name: string }
  readonly onChange: (id: string, name: string) => void
  readonly error?: ReactNode
  /** Called with the typed text to add a new customer; absent for roles that may not add customers. */
  readonly onNew?: (typed: string) => void
}

const debounceMilliseconds = 200
const few = 12
const newValue = 'new'

/** A customer select that searches by prefix of name, e-mail address or phone number. */
export function CustomerChoice({ value, known: given, onChange, error, onNew }: CustomerChoiceProps) {
  const { t } = useTranslation()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Option | undefined>(given && { value: given.id, label: given.name, contact: '' })
  const [settled] = useDebouncedValue(search.trim(), debounceMilliseconds)
  // After a selection, the field contains the label of the selected customer, which is not searched for.
  const searchText = settled === chosen?.label ? '' : settled
  const { data, isPlaceholderData } = useRead('GET /customers/', {
    ...(searchText && { search: searchText }),
    page: 1,
    per_page: few,
  })
  const typed = search.trim()
  const options = (data?.items ?? []).map(
    ({ id, name, email, phone }): Option => ({
      value: id,
      label: name,
      contact: [email, phone].filter((text) => text !== '').join(' · '),
    }),
  )
  const found = offeredResults(options, {
    typed,
    isCurrent: typed === chosen?.label || (settled === typed && !isPlaceholderData),
    textOf: ({ label, contact }) => `${label} ${contact}`,
  })
  const fresh: Option[] =
    onNew && typed !== '' && typed !== chosen?.label
      ? [{ value: newValue, label: t('calendar.newNamed', { name: typed }), contact: '' }]
      : []
  const known = chosen && !found.some((one) => one.value === chosen.value) ? [chosen, ...found] : found
  return (
    <Select
      label={t('reservations.customer')}
      placeholder={t('calendar.findCustomer')}
      data={[...known, ...fresh]}
      // The server matches more than the displayed name, so the select must not filter the results again.
      filter={({ options: all }) => all}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={t('calendar.nobodyFound')}
      value={value || null}
      onChange={(id) => {
        if (id === newValue) {
          onNew?.(typed)
          return
        }
        const selected = known.find((one) => one.value === id)
        setChosen(selected)
        onChange(id ?? '', selected?.label ?? '')
      }}
      renderOption={({ option }) => (
        <CustomerOption option={[...known, ...fresh].find((one) => one.value === option.value)} />
      )}
      error={error}
    />
  )
}

interface Option {
  readonly value: string
  readonly label: string
  readonly contact: string
}

function CustomerOption({ option }: { readonly option: Option | undefined }) {
  return (
    <div className="breakable">
      {option?.label}
      <br />
      <small>{option?.contact}</small>
    </div>
  )
}
