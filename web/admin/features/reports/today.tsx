import { Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { leading, staff } from '../../../../src/access/users/role-groups.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { StatusBadge } from '../../components/records/reservation-status.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { type ReadState, useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import type { Item, ListPage } from '../../data/request.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { ConflictsSection } from '../conflicts/conflicts-section.tsx'
import { BookButton } from '../reservations/book-button.tsx'
import { ReservationMenu } from '../reservations/move/move-actions.tsx'
import { RefusedStatusChanges } from '../reservations/refused-status-changes.tsx'
import { type StatusChange, useStatusChange } from '../reservations/status-change.ts'
import { AttendanceStep } from '../reservations/visit/attendance.tsx'
import { CompleteVisits } from '../reservations/visit/complete-visits.tsx'
import { FailingChecks } from './failing-checks.tsx'
import styles from './today.module.css'

type Reservation = Item<'GET /reservations/'>

// The code of the drawer is loaded when the user opens the first reservation.
const ReservationDrawer = lazyPart(
  async () => {
    const { ReservationDrawer } = await import('../reservations/reservation-drawer.tsx')
    return { default: ReservationDrawer }
  },
  { closeOf: ({ close }) => close },
)

// The charts are the largest part of the page and its end, so they load after its lists.
const Figures = lazyPart(async () => ({ default: (await import('./figures.tsx')).Figures }), {
  fallback: () => <LoadingState lines={6} />,
})

const few = 8
// The maximum number of today's appointments that are listed. It exceeds the number that a site usually has in a day,
// so that the user can mark all of them as completed or missed.
const wholeDay = 200

/**
 * The page Today: appointments, pending approvals, reservations that break scheduling rules, failing health checks, and
 * figures such as bookings and utilisation.
 */
export default function Today() {
  const { t } = useTranslation()
  const { longDate, zone } = useFormats()
  const leads = useHasRole(leading)
  const conflicts = useRead('GET /conflicts/', {})
  const changes = useHasRole(staff)
  const session = useSession()
  const change = useStatusChange()
  const [parameters, setParameters] = useQueryParameters()
  const now = session?.now ?? 0
  const today = clockOf(session?.site.timezone ?? zone).dateOf(now)
  const agenda = useRead('GET /reservations/', { from: today, to: today, page: 1, per_page: wholeDay })
  const waiting = useRead('GET /reservations/', { status: 'pending', when: 'from_today', page: 1, per_page: few })
  return (
    <Screen title={t('today.title')} text={t('today.text', { date: longDate(now), zone })} actions={<BookButton />}>
      <RefusedStatusChanges change={change} />
      {/* The lists are rendered together, since a list that grows later would shift the sections below it. */}
      {![agenda, waiting, conflicts].every(hasSettled) ? (
        <LoadingState lines={10} />
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            <Stack>
              <TodaySection
                title={t('today.agenda')}
                read={agenda}
                empty={t('today.agendaEmpty')}
                {...(agenda.data && { text: visitsText(t, agenda.data.items) })}
                actions={changes && agenda.data && <CompleteVisits reservations={agenda.data.items} />}
                all={{ text: t('today.agendaAll'), to: `/reservations?when=all&from=${today}&to=${today}` }}
                row={(one) => <AgendaRow key={one.id} reservation={one} {...(changes && { change })} />}
              />
            </Stack>
            <Stack>
              <TodaySection
                title={t('today.waiting')}
                read={waiting}
                empty={t('today.waitingEmpty')}
                all={{ text: t('today.waitingAll'), to: `/reservations?status=pending&when=all&from=${today}` }}
                row={(one) => <WaitingRow key={one.id} reservation={one} {...(changes && { change })} />}
              />
              {conflicts.data && <ConflictsSection conflicts={conflicts.data} change={change} />}
              {leads && <FailingChecks />}
            </Stack>
          </SimpleGrid>
          <Figures today={today} />
        </>
      )}
      {parameters.open && (
        <ReservationDrawer id={parameters.open} change={change} close={() => setParameters({ open: '' })} />
      )}
    </Screen>
  )
}

function hasSettled({ data, error }: ReadState<unknown>): boolean {
  return data !== undefined || error !== null
}

interface TodaySectionProps {
  readonly title: string
  readonly read: ReadState<ListPage<Reservation>>
  readonly text?: string
  readonly actions?: ReactNode
  readonly empty: string
  readonly all: { readonly text: string; readonly to: string }
  readonly row: (reservation: Reservation) => ReactNode
}

function TodaySection({ title, text, actions, read, empty, all, row }: TodaySectionProps) {
  const { data, error, refetch } = read
  return (
    <Section
      title={data && data.items.length > 0 ? `${title} (${data.total > 10_000 ? '10 000+' : data.total})` : title}
      {...(text !== undefined && { text })}
      actions={
        <>
          {actions}
          {data && data.total > data.items.length && (
            <Anchor component={PanelLink} to={all.to} size="sm">
              {all.text}
            </Anchor>
          )}
        </>
      }
    >
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : !data ? (
        <LoadingState />
      ) : data.items.length === 0 ? (
        <EmptyState icon={IconCircleCheck} text={empty} />
      ) : (
        <ul className={`${styles.rows} scrolls`}>{data.items.map(row)}</ul>
      )}
    </Section>
  )
}

/**
 * Returns a text that tells how many of the day's confirmed visits are marked as completed or missed; empty without
 * confirmed visits.
 */
function visitsText(t: TFunction<'words'>, reservations: readonly Reservation[]): string {
  const due = reservations.filter(({ status }) => status === 'confirmed')
  const done = due.filter(({ attendance }) => attendance === 'completed' || attendance === 'no_show')
  return due.length === 0 ? '' : t('today.visits', { done: done.length, count: due.length })
}

interface RowProps {
  readonly reservation: Reservation
  /** Changes the status of the reservation; absent for roles that may not change it. */
  readonly change?: StatusChange
}

function AgendaRow({ reservation, change }: RowProps) {
  const { time } = useFormats()
  const { start, end, status } = reservation
  return (
    <li className={styles.row}>
      <Text size="sm" className={`tabular ${styles.time}`} td={status === 'cancelled' ? 'line-through' : ''}>
        {time(start)} – {time(end)}
      </Text>
      <ReservationLink reservation={reservation} />
      {status === 'confirmed' && change ? (
        <AttendanceStep reservation={reservation} />
      ) : (
        <StatusBadge {...reservation} />
      )}
      {change && <ReservationMenu reservation={reservation} change={change} />}
    </li>
  )
}

function WaitingRow({ reservation, change }: RowProps) {
  const { t } = useTranslation()
  const { shortDate, time } = useFormats()
  const { start, customer } = reservation
  const busy = change?.progress !== undefined
  return (
    <li className={styles.row}>
      <Text size="sm" className={`tabular ${styles.when}`}>
        {shortDate(start)}, {time(start)}
      </Text>
      <ReservationLink reservation={reservation} />
      {change && (
        <Group gap={6} wrap="nowrap">
          <Button
            size="compact-sm"
            disabled={busy}
            aria-label={`${t('reservations.confirm')}: ${customer.name}`}
            onClick={() => void change.set([reservation], 'confirmed')}
          >
            {t('reservations.confirm')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy}
            aria-label={`${t('reservations.decline')}: ${customer.name}`}
            onClick={() => void change.set([reservation], 'cancelled')}
          >
            {t('reservations.decline')}
          </Button>
        </Group>
      )}
    </li>
  )
}

function ReservationLink({ reservation }: { readonly reservation: Reservation }) {
  const { t } = useTranslation()
  const { id, customer, service, provider, awaits } = reservation
  const removed = t('reservations.removed')
  return (
    <div className={styles.who}>
      <Anchor component={PanelLink} to="/today" search={{ open: id }} size="sm">
        {customer.name || removed}
      </Anchor>
      <Text size="xs" c="dimmed">
        {service.name || removed} · {provider.name ? <ProviderLink {...provider} /> : removed}
        {awaits && ` · ${t(`reservations.awaits.${awaits}`)}`}
      </Text>
    </div>
  )
}
