import { Anchor, Button, DataList, Group, Stack, Text, Timeline, Title } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { leading, staff } from '../../../../src/access/users/role-groups.ts'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Diff } from '../../components/records/diff.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { StatusBadge } from '../../components/records/reservation-status.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useZonedFormats } from '../../data/dates/zoned-formats.ts'
import { useRead } from '../../data/queries.ts'
import { isNotFound } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole } from '../../data/session.ts'
import { withDeferredTexts } from '../../i18n/index.ts'
import { eventName } from '../history/event-name.ts'
import { RecentMessages } from '../notifications/recent-messages.tsx'
import { answerText, EditAnswers, labelledData } from './answers.tsx'
import { MoveButton } from './move/move-actions.tsx'
import { RefusedStatusChanges } from './refused-status-changes.tsx'
import { RoutingDecision } from './routing-decision.tsx'
import type { StatusChange } from './status-change.ts'
import { AttendanceToggles } from './visit/attendance.tsx'
import { DeskNote } from './visit/desk-note.tsx'

// The code and the translations of `DeferredSections` are loaded when the user opens the first reservation.
const LaterParts = lazyPart(
  withDeferredTexts(() => import('./deferred-sections.tsx')),
  {
    fallback: ({ paid }) => paid && <LoadingState lines={2} />,
  },
)

type Reservation = Item<'GET /reservations/one/'>
type Rule = Item<'GET /calendar/verdict/'>['broken'][number]['rule']

interface DrawerProps {
  readonly id: string
  readonly change: StatusChange
  readonly close: () => void
}

/** The drawer of one reservation: its data, its history and the actions on it. */
export function ReservationDrawer({ id, change, close }: DrawerProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /reservations/one/', { id })
  const reservation = data?.id === id ? data : undefined
  const changes = useHasRole(staff)
  return (
    <Drawer
      opened
      onClose={close}
      title={reservation ? reservation.customer.name || t('reservations.removed') : t('reservations.one')}
    >
      {reservation && !isNotFound(error) ? (
        // The key discards what was typed for one reservation, such as a note, when the drawer shows another one.
        <Stack key={id}>
          <RefusedStatusChanges change={change} />
          {changes ? (
            <Actions reservation={reservation} change={change} />
          ) : (
            <StatusBadge status={reservation.status} />
          )}
          {changes && reservation.status === 'confirmed' && <AttendanceToggles reservation={reservation} />}
          <DeskNote reservation={reservation} changes={changes} />
          <Facts reservation={reservation} />
          <EditAnswers reservation={reservation} />
          <LaterParts {...reservation} />
          <RoutingSection reservation={reservation} />
          <Messages id={id} />
          <History entries={reservation.history} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Drawer>
  )
}

function Messages({ id }: { readonly id: string }) {
  return useHasRole(leading) ? <RecentMessages of={{ reservationId: id }} /> : null
}

interface ActionsProps {
  readonly reservation: Reservation
  readonly change: StatusChange
}

function Actions({ reservation, change }: ActionsProps) {
  const { t } = useTranslation()
  const { status, history } = reservation
  const busy = change.progress !== undefined
  const set = (to: Reservation['status']) => () => void change.set([reservation], to)
  // The status before the cancellation, to which restoring returns the reservation.
  const before = history.find(({ type }) => type === 'reservation.cancelled')?.before?.status
  return (
    <Group justify="space-between">
      <StatusBadge {...reservation} />
      <Group gap="xs">
        <MoveButton reservation={reservation} />
        {status === 'pending' && (
          <Button leftSection={<IconCheck size={16} />} disabled={busy} onClick={set('confirmed')}>
            {t('reservations.confirm')}
          </Button>
        )}
        {status === 'cancelled' ? (
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={16} />}
            disabled={busy}
            onClick={set(before === 'pending' ? 'pending' : 'confirmed')}
          >
            {t('reservations.restore')}
          </Button>
        ) : (
          <Button variant="default" leftSection={<IconBan size={16} />} disabled={busy} onClick={set('cancelled')}>
            {t('reservations.cancel')}
          </Button>
        )}
      </Group>
    </Group>
  )
}

function Facts({ reservation }: { readonly reservation: Reservation }) {
  const { t } = useTranslation()
  const { longDate, time, money, zone } = useFormats()
  const { dateTime } = useZonedFormats(reservation.zone)
  const { start, end, service, provider, customer, price, currency, data, form } = reservation
  const removed = t('reservations.removed')
  return (
    <DataList orientation="horizontal" labelWidth={140}>
      <Fact label={t('reservations.start')}>
        {longDate(start)}, {time(start)} – {time(end)} ({zone})
      </Fact>
      {reservation.zone !== zone && (
        <Fact label={t('reservations.localStart')}>
          {dateTime(start)} ({reservation.zone})
        </Fact>
      )}
      {reservation.awaits !== null && reservation.expires !== null && (
        <Fact label={t('reservations.waits')}>
          {t(`reservations.waitsFor.${reservation.awaits}`, { time: time(reservation.expires) })}
        </Fact>
      )}
      <Fact label={t('reservations.service')}>{service.name || removed}</Fact>
      <Fact label={t('reservations.provider')}>{provider.name ? <ProviderLink {...provider} alone /> : removed}</Fact>
      <Fact label={t('reservations.customer')}>
        {customer.name ? (
          <Anchor component={PanelLink} to="/customers" search={{ open: customer.id }} underline="hover" inherit>
            {customer.name}
          </Anchor>
        ) : (
          removed
        )}
      </Fact>
      {customer.email && (
        <Fact label={t('reservations.email')}>
          <Anchor size="sm" href={`mailto:${encodeURIComponent(customer.email)}`}>
            {customer.email}
          </Anchor>
        </Fact>
      )}
      {customer.phone && (
        <Fact label={t('reservations.phone')}>
          <Anchor size="sm" href={`tel:${customer.phone.replace(/[^+\d]/g, '')}`}>
            {customer.phone}
          </Anchor>
        </Fact>
      )}
      {reservation.meeting !== null && (
        <Fact label={t('meeting.join')}>
          <Anchor
            size="sm"
            href={reservation.meeting}
            target="_blank"
            rel="noopener noreferrer"
            style={{ overflowWrap: 'anywhere' }}
          >
            {reservation.meeting}
          </Anchor>
        </Fact>
      )}
      {price !== null && currency !== null && <Fact label={t('reservations.price')}>{money(price, currency)}</Fact>}
      {reservation.cancelReason !== '' && <Fact label={t('cancellation.reason')}>{reservation.cancelReason}</Fact>}
      <Fact label={t('reservations.created')}>
        <Timestamp at={reservation.created} />
      </Fact>
      {labelledData(form, data).map(({ key, label, value }) => (
        <Fact key={key} label={label}>
          {answerText(value, t)}
        </Fact>
      ))}
      <Fact label={t('reservations.id')}>{reservation.id}</Fact>
    </DataList>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel className="breakable">{label}</DataList.ItemLabel>
      <DataList.ItemValue className="breakable">{children}</DataList.ItemValue>
    </DataList.Item>
  )
}

function RoutingSection({ reservation: { choice, provider, service } }: { readonly reservation: Reservation }) {
  const { t } = useTranslation()
  const leads = useHasRole(leading)
  if (!choice) return null
  return (
    <Stack gap={4}>
      <Title order={3} size="h5">
        {t('reservations.why')}
      </Title>
      <RoutingDecision choice={choice} provider={provider} />
      {leads && service.name !== '' && (
        <Anchor component={PanelLink} to="/services/fairness" search={{ serviceId: service.id }} size="sm">
          {t('fairness.link')}
        </Anchor>
      )}
    </Stack>
  )
}

function History({ entries }: { readonly entries: Reservation['history'] }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState('')
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('reservations.history')}
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={-1}>
        {entries.map(({ id, type, at, actor, before, after }) => {
          return (
            <Timeline.Item key={id} title={eventName(type, t)}>
              <Text size="sm" c="dimmed">
                <Timestamp at={at} /> · {actor.name || t(`history.kinds.${actor.kind}`)}
              </Text>
              <RuleOverrideNote after={after} />
              <KeptNote after={after} />
              <CancelReasonNote type={type} after={after} />
              {after?.notifyCustomer === false && <Text size="sm">{t('notifications.ask.withheld')}</Text>}
              {before && (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  aria-expanded={opened === id}
                  onClick={() => setOpened(opened === id ? '' : id)}
                >
                  {t('reservations.changes')}
                </Anchor>
              )}
              {opened === id && <Diff before={before} after={after} />}
            </Timeline.Item>
          )
        })}
      </Timeline>
    </Stack>
  )
}

/**
 * Lists the rules that a reservation broke when staff decided to leave it as it is in spite of them; renders nothing
 * for other entries of the history.
 */
function KeptNote({ after }: Pick<Reservation['history'][number], 'after'>) {
  const { t } = useTranslation()
  const rules = after?.keptDespite
  if (!Array.isArray(rules)) return null
  const named = rules.map((rule) => (isRule(rule) ? t(`calendar.against.${rule}`) : String(rule)))
  return (
    <Text size="sm" className="breakable">
      {t('conflicts.keptDespite', { rules: named.join(', ') })}
    </Text>
  )
}

/** Shows the reason of a cancellation; renders nothing when none was given. */
function CancelReasonNote({ type, after }: Pick<Reservation['history'][number], 'type' | 'after'>) {
  const { t } = useTranslation()
  const reason = after?.cancelReason
  if (type !== 'reservation.cancelled' || typeof reason !== 'string' || reason === '') return null
  return (
    <Text size="sm" className="breakable">
      {t('cancellation.reason')}: {reason}
    </Text>
  )
}

/**
 * Lists the rules that staff overrode in a change of a reservation, such as a booking or a move, with the reason that
 * staff gave; renders nothing when no rules were overridden.
 */
function RuleOverrideNote({ after }: Pick<Reservation['history'][number], 'after'>) {
  const { t } = useTranslation()
  const { reason, rules } = Object(after?.override)
  if (typeof reason !== 'string' || !Array.isArray(rules)) return null
  const named = rules.map((rule) => (isRule(rule) ? t(`calendar.against.${rule}`) : String(rule)))
  return (
    <Text size="sm" className="breakable">
      {t('calendar.bookedAnyway', { rules: named.join(', '), reason })}
    </Text>
  )
}

const ruleNames = [
  'service_active',
  'provider_eligible',
  'lead_time',
  'horizon',
  'opening_hours',
  'time_off',
  'calendar',
  'occupancy',
  'capacity',
  'limits',
  'customer',
] as const satisfies readonly Rule[]

function isRule(text: unknown): text is Rule {
  return ruleNames.some((one) => one === text)
}
