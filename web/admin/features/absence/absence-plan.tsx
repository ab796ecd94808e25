import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconCalendarOff, IconCircleCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import { askAnnouncement } from '../notifications/announcement.ts'
import { RefusedStatusChanges } from '../reservations/refused-status-changes.tsx'
import { useStatusChange } from '../reservations/status-change.ts'
import { AffectedRow } from './affected-row.tsx'
import { CompletedMoves } from './completed-moves.tsx'
import { MessageSummary, type PlannedMove, useSendsMessages } from './message-summary.tsx'
import { type AffectedReservation, type Replanning, type SuggestedTime, useReplanning } from './use-replanning.ts'

interface AbsencePlanProps {
  readonly provider: { readonly id: number; readonly name: string }
  readonly from: number
  readonly until: number
  readonly note: string
}

/**
 * The plan of one absence: whether its time off is recorded, the reservations that it affects, and the moves made so
 * far.
 */
export function AbsencePlan({ provider, from, until, note }: AbsencePlanProps) {
  const { t } = useTranslation()
  const read = useRead('GET /replanning/', { providerId: provider.id, from, until })
  const replanning = useReplanning({ providerId: provider.id, from, until, note })
  const change = useStatusChange()
  const sends = useSendsMessages(read.data?.items ?? [])
  const [choices, setChoices] = useState<ReadonlyMap<string, string>>(new Map())
  const { data, error } = read
  if (error && !data) return <ErrorState error={error} retry={() => void read.refetch()} />
  if (!data || read.isPlaceholderData) return <LoadingState lines={6} />
  const { items, timeOff, more } = data
  const chosen = (one: AffectedReservation): SuggestedTime | undefined =>
    one.suggestions.find((to) => keyOf(to) === choices.get(one.id)) ?? one.suggestions[0]
  const planned = items.flatMap((reservation) => {
    const to = chosen(reservation)
    return to ? [{ reservation, to }] : []
  })
  const accept = async (moves: readonly PlannedMove[]): Promise<void> => {
    const asked = moves.map(({ reservation: { id }, to: { providerId, start, end } }) => ({
      ...{ id, providerId, start, end },
    }))
    const notify = await askAnnouncement(asked)
    if (notify === undefined) return
    const count = await replanning.move(
      moves.map((one) => ({ ...one, notify, isTold: notify && sends && one.reservation.customer.hasEmail })),
    )
    if (count > 0) toast(t('absence.moved', { count }))
  }
  const busy = replanning.progress !== undefined || change.progress !== undefined
  const covered = timeOff.some(({ start, end }) => start <= from && end >= until)
  return (
    <Stack>
      <RefusedStatusChanges change={change} />
      <TimeOff covered={covered} name={provider.name} replanning={replanning} />
      <Section
        title={items.length > 0 ? `${t('absence.affected')} (${items.length})` : t('absence.affected')}
        actions={
          planned.length > 1 && (
            <Button disabled={busy} onClick={() => void accept(planned)}>
              {t('absence.acceptAll', { count: planned.length })}
            </Button>
          )
        }
      >
        <RunProgress replanning={replanning} />
        {planned.length > 0 && <MessageSummary moves={planned} sends={sends} />}
        {items.length === 0 && <EmptyState icon={IconCircleCheck} text={t('absence.none')} />}
        <Stack component="ul" gap="sm" p={0} m={0}>
          {items.map((one) => (
            <AffectedRow
              key={one.id}
              reservation={one}
              chosen={chosen(one)}
              choose={(to) => setChoices(new Map(choices).set(one.id, keyOf(to)))}
              accept={(to) => void accept([{ reservation: one, to }])}
              failure={replanning.failures.get(one.id)}
              busy={busy}
              change={change}
            />
          ))}
        </Stack>
        {more && <Text size="sm">{t('absence.more')}</Text>}
      </Section>
      <CompletedMoves replanning={replanning} absent={provider.name} busy={busy} />
    </Stack>
  )
}

interface TimeOffProps {
  /** Whether one recorded time off of the provider covers the whole absence. */
  readonly covered: boolean
  readonly name: string
  readonly replanning: Replanning
}

function TimeOff({ covered, name, replanning }: TimeOffProps) {
  const { t } = useTranslation()
  const [recording, setRecording] = useState(false)
  const record = (): void => {
    setRecording(true)
    void replanning.recordTimeOff().then(
      () => setRecording(false),
      (error: unknown) => {
        setRecording(false)
        toastError(error)
      },
    )
  }
  if (covered)
    return (
      <Alert color="teal" icon={<IconCircleCheck />} role="status">
        {t('absence.recorded', { name })}
      </Alert>
    )
  return (
    <Alert color="orange" icon={<IconCalendarOff />}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 14rem">
          {t('absence.notRecorded', { name })}
        </Text>
        <Button loading={recording} onClick={record}>
          {t('absence.record')}
        </Button>
      </Group>
    </Alert>
  )
}

function RunProgress({ replanning: { progress } }: { readonly replanning: Replanning }) {
  const { t } = useTranslation()
  if (!progress || progress.all < 2) return null
  const { done, all } = progress
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed" role="status">
        {t('absence.progress', { done, all })}
      </Text>
      <Progress value={(done / all) * 100} aria-label={t('absence.progress', { done, all })} />
    </Stack>
  )
}

function keyOf({ providerId, start }: SuggestedTime): string {
  return `${providerId}:${start}`
}
