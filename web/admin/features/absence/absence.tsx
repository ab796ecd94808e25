import { Group, Paper, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { NotAllowed } from '../../app/not-allowed.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { SearchableSelect } from '../../components/fields/searchable-select.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { addDays, isDate, lastDayAfter } from '../../data/dates/dates.ts'
import { useZone } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { AbsencePlan } from './absence-plan.tsx'

/** The screen that plans the absence of a provider: records the time off, and moves the affected reservations. */
export default function AbsenceScreen() {
  return useHasRole(desk) ? <Planning /> : <NotAllowed />
}

function Planning() {
  const { t } = useTranslation()
  const zone = useZone()
  const now = useSession()?.now ?? 0
  const [parameters, change] = useQueryParameters()
  // The note is not a query parameter, since it may contain health data.
  const [note, setNote] = useState('')
  const { data, error, refetch } = useRead('GET /reservations/filters/', {})
  const provider = data?.providers.find(({ id }) => String(id) === parameters.providerId)
  // The days of an absence are those of the provider, as their opening hours are.
  const clock = clockOf(provider?.zone ?? zone)
  const inZone = clock.zone === zone ? '' : ` (${clock.zone})`
  const from = isDate(parameters.from) ? parameters.from : clock.dateOf(now)
  const to = isDate(parameters.to) && parameters.to >= from ? parameters.to : from
  return (
    <Screen title={t('absence.title')} text={t('absence.text', { zone })}>
      <Group align="flex-start" gap="sm">
        <SearchableSelect
          label={t('reservations.provider')}
          placeholder={t('calendar.providerMissing')}
          data={data?.providers.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          value={provider ? String(provider.id) : null}
          onChange={(id) => id !== null && change({ providerId: id })}
          allowDeselect={false}
          w={{ base: '100%', xs: 220 }}
        />
        <DateField
          label={`${t('absence.from')}${inZone}`}
          zone={clock.zone}
          value={from}
          w={{ base: '100%', xs: 170 }}
          onChange={(date) => date && change({ from: date, to: lastDayAfter(date, { from, to }) })}
        />
        <DateField
          label={`${t('absence.to')}${inZone}`}
          zone={clock.zone}
          value={to}
          min={from}
          w={{ base: '100%', xs: 170 }}
          onChange={(date) => date && change({ to: date })}
        />
        <TextInput
          label={t('calendar.note')}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          w={{ base: '100%', xs: 220 }}
        />
      </Group>
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : provider ? (
        <AbsencePlan
          key={`${provider.id} ${from} ${to}`}
          provider={provider}
          from={clock.at(from, 0)}
          until={clock.at(addDays(to, 1), 0)}
          note={note}
        />
      ) : data ? (
        <Paper>
          <EmptyState text={t('absence.choose')} />
        </Paper>
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}
