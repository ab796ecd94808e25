import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { kindOf } from '../../../../src/history/event.ts'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'

interface FilterProps {
  /** The name that the list has for the chosen id; undefined while the list has no such entry. */
  readonly known: string | undefined
}

interface Option {
  readonly value: string
  readonly label: string
}

const debounceMilliseconds = 200
const few = 12
const most = 100

/**
 * A filter of the history by what was changed: customers, who are searched for, providers and services. Another object
 * that the address names, such as a reservation, is shown with the name that the list has for it, or else its id.
 */
export function ObjectFilter({ known }: FilterProps) {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const { objectId = '', type = '' } = parameters
  const [search, setSearch] = useState('')
  const [picked, setPicked] = useState<Option>()
  const { data: choices } = useRead('GET /reservations/filters/', {})
  const providers = (choices?.providers ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const services = (choices?.services ?? []).map(({ id, name }) => ({ value: id, label: name }))
  // Providers and users of the website have numbers as ids, which may coincide.
  const isOfProvider = type === '' || kindOf(type) === 'provider'
  const named = [picked, ...(isOfProvider ? providers : []), ...services]
  const label = named.find((one) => one?.value === objectId)?.label ?? known ?? objectId
  const chosen = objectId === '' ? [] : [{ value: objectId, label }]
  // While nothing else is typed, the field contains the label of the chosen object, which is not searched for.
  const typed = search.trim() === label ? '' : search.trim()
  const [settled] = useDebouncedValue(typed, debounceMilliseconds)
  const query = { search: settled, page: 1, per_page: few }
  const { data, isPlaceholderData } = useRead('GET /customers/', query, { enabled: settled !== '' })
  const isFound = typed !== '' && typed === settled && !isPlaceholderData
  const customers = isFound ? (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })) : []
  const matching = (options: readonly Option[]) =>
    options
      .filter((one) => one.value !== objectId && one.label.toLowerCase().includes(typed.toLowerCase()))
      .slice(0, most)
  const groups = [
    { group: t('places.customers'), items: customers.filter(({ value }) => value !== objectId) },
    { group: t('places.providers'), items: matching(providers) },
    { group: t('places.services'), items: matching(services) },
  ].filter(({ items }) => items.length > 0)
  const choose = (id: string): void => {
    setPicked([...chosen, ...customers].find(({ value }) => value === id))
    change({ objectId: id, type: typeFor(id), page: '' })
  }
  // A type of another kind of object would match nothing. A provider is named by its kind beside its number.
  const typeFor = (id: string): string => {
    const isOf = (options: readonly Option[]) => options.some(({ value }) => value === id)
    if (id === '') return type === 'provider' ? '' : type
    if (isOf(providers)) return isOfProvider && type !== '' ? type : 'provider'
    return kindOf(type) === (isOf(services) ? 'service' : 'customer') ? type : ''
  }
  return (
    <Select
      label={t('history.objectId')}
      placeholder={t('history.anyType')}
      data={[...chosen, ...groups]}
      // The service matches more than the name that is shown, so the select must not filter the options again.
      filter={({ options }) => options}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={t('shell.commandsNothing')}
      value={objectId || null}
      allowDeselect={false}
      onChange={(id) => choose(id ?? '')}
      clearable
      clearButtonProps={{ 'aria-label': t('history.anyType') }}
    />
  )
}

/**
 * A filter of the history by who made a change: users of the panel and API tokens. Another actor that the address names
 * is shown with the name that the list has for it, or else its id.
 */
export function ActorFilter({ known }: FilterProps) {
  const { t } = useTranslation()
  const [{ actor = '' }] = useQueryParameters()
  const { data } = useRead('GET /history/actors/', {})
  const actors = data?.actors ?? []
  const others = actor === '' || actors.some(({ id }) => id === actor) ? [] : [{ value: actor, label: known ?? actor }]
  const groups = (['user', 'token'] as const).map((kind) => ({
    group: t(kind === 'user' ? 'places.team' : 'places.api'),
    items: actors.filter((one) => one.kind === kind).map(({ id, name }) => ({ value: id, label: name })),
  }))
  return (
    <QuerySelect
      name="actor"
      label={t('history.actor')}
      placeholder={t('history.anyType')}
      data={[...others, ...groups.filter(({ items }) => items.length > 0)]}
      searchable
      limit={most}
      clearButtonProps={{ 'aria-label': t('history.anyType') }}
    />
  )
}
