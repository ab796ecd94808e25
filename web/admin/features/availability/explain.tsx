import { Group, Paper, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DateStepper } from '../../components/fields/date-stepper.tsx'
import { Screen } from '../../components/screen.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import { type QueryParameters, useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import { ExplainDay } from './explain-day.tsx'

type Choices = Item<'GET /why/choices/'>

/** Explains why each time of a day can or cannot be booked, rule by rule. */
export default function Explain() {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /why/choices/', {})
  return (
    <Screen title={t('why.title')} text={t('why.text')}>
      {data ? (
        <ExplainForm choices={data} />
      ) : error ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}

function ExplainForm({ choices: { services, providers } }: { readonly choices: Choices }) {
  const { t } = useTranslation()
  const { role } = useUser()
  const [parameters, change] = useQueryParameters()
  const service = services.find(({ id }) => id === parameters.serviceId) ?? services.find(({ active }) => active)
  const provider = providers.find(({ id }) => String(id) === parameters.providerId) ?? providers[0]
  if (!service || !provider)
    return (
      <Paper>
        <EmptyState text={t(role === 'provider' ? 'why.emptyProvider' : 'why.empty')} />
      </Paper>
    )
  const ask = (values: QueryParameters): void => change({ open: '', ...values })
  return (
    <>
      <Group align="flex-end" gap="sm">
        <Select
          label={t('why.service')}
          data={services.map(({ id, name, active }) => ({
            value: id,
            label: active ? name : t('why.inactive', { name }),
          }))}
          value={service.id}
          onChange={(id) => id !== null && ask({ serviceId: id })}
          allowDeselect={false}
          searchable
          limit={100}
        />
        <Select
          label={t('why.provider')}
          data={providers.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(provider.id)}
          onChange={(id) => id !== null && ask({ providerId: id })}
          allowDeselect={false}
          searchable
          limit={100}
        />
        <Day serviceId={service.id} providerId={provider.id} ask={ask} />
      </Group>
      <PanelResponse serviceId={service.id} providerId={provider.id} />
    </>
  )
}

interface ExplainSubject {
  readonly serviceId: string
  readonly providerId: number
}

function useDay({ serviceId, providerId }: ExplainSubject) {
  const [{ date }] = useQueryParameters()
  return useRead('GET /why/', { serviceId, providerId, ...(date && { date }) })
}

function Day({ ask, ...about }: ExplainSubject & { readonly ask: (values: QueryParameters) => void }) {
  const { t } = useTranslation()
  const [{ date }] = useQueryParameters()
  const { data } = useDay(about)
  return (
    <DateStepper
      label={t('why.day')}
      value={date || data?.date || ''}
      onChange={(day) => ask({ date: day })}
      zone={data?.zone}
    />
  )
}

function PanelResponse(about: ExplainSubject) {
  const { data, error, isPlaceholderData, refetch } = useDay(about)
  if (error) return <ErrorState error={error} retry={() => refetch()} />
  return data ? <ExplainDay {...about} day={data} busy={isPlaceholderData} /> : <LoadingState lines={8} />
}
