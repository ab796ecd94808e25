import { Anchor, Group, List, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { StatusBadge } from '../../components/records/reservation-status.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { ReservationMenu } from '../reservations/move/move-actions.tsx'
import { RefusedStatusChanges } from '../reservations/refused-status-changes.tsx'
import { type StatusChange, useStatusChange } from '../reservations/status-change.ts'

type Customer = Item<'GET /customers/one/'>

const shown = 5

/** Lists up to five upcoming and five past reservations of a customer, with the total number of each status. */
export function CustomerReservations({ customer: { id, counts, visits } }: { readonly customer: Customer }) {
  const { t } = useTranslation()
  const { share } = useFormats()
  const heading = useId()
  const change = useStatusChange()
  const all = counts.pending + counts.confirmed + counts.cancelled
  return (
    <Stack gap="xs" component="section" aria-labelledby={heading}>
      <Group justify="space-between">
        <Title order={3} size="h5" id={heading}>
          {t('customers.reservations')}
        </Title>
        {all > 0 && (
          <Anchor size="sm" component={PanelLink} to={`/reservations?search=${id}&when=all`}>
            {t('customers.allReservations', { count: all })}
          </Anchor>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('customers.counts', counts)}
      </Text>
      {visits.noShows > 0 && (
        <Text size="sm">
          {t('customers.noShows', { count: visits.noShows, share: share(visits.noShows / visits.marked) })}
        </Text>
      )}
      <RefusedStatusChanges change={change} />
      {all > 0 && <ReservationList id={id} when="upcoming" change={change} />}
      {all > 0 && <ReservationList id={id} when="past" change={change} />}
    </Stack>
  )
}

interface ReservationListProps {
  readonly id: string
  readonly when: 'upcoming' | 'past'
  readonly change: StatusChange
}

function ReservationList({ id, when, change }: ReservationListProps) {
  const { t } = useTranslation()
  const heading = useId()
  const sort = when === 'past' ? '-start' : 'start'
  const { data, error, refetch } = useRead('GET /reservations/', { search: id, when, sort, per_page: shown })
  if (!data) return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingState lines={2} />
  if (data.items.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500} id={heading}>
        {t(`customers.${when}`)}
      </Text>
      <List listStyleType="none" size="sm" spacing={4} aria-labelledby={heading}>
        {data.items.map((reservation) => {
          const { id: key, start, service, provider } = reservation
          return (
            <List.Item key={key}>
              <Group gap="xs">
                <Anchor size="sm" component={PanelLink} to={`/reservations?when=all&open=${key}`}>
                  <Timestamp at={start} />
                </Anchor>{' '}
                {service.name || '–'}, {provider.name ? <ProviderLink {...provider} /> : '–'}{' '}
                <StatusBadge {...reservation} />
                {change && <ReservationMenu reservation={reservation} change={change} />}
              </Group>
            </List.Item>
          )
        })}
      </List>
    </Stack>
  )
}
