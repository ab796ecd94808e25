import { ActionIcon, Badge, Button, Group, Stack, Text, Tooltip } from '@mantine/core'
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable, maxCounted, pageSize } from '../../components/data-table.tsx'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { WarningAlert } from '../../components/dialogs/warning-alert.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { Screen } from '../../components/screen.tsx'
import { LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { useUser } from '../../data/session.ts'
import type { PanelTexts } from '../../i18n/messages.ts'

type Job = Item<'GET /jobs/'>
type Figures = Item<'GET /jobs/figures/'>
type Kind = keyof PanelTexts['jobs']['kinds']

const states = ['due', 'running', 'parked'] as const
const routes = ['GET /jobs/', 'GET /jobs/figures/'] as const
// The queue is polled: the panel's live updates (`useLive`) do not report changes of jobs.
const pollMilliseconds = 3_000

/**
 * The screen of the job queue: due, running and failed jobs, and whether messages to customers and other systems are
 * paused after a restore from a backup.
 */
export default function Jobs() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const { role } = useUser()
  const state = states.find((one) => one === parameters.state)
  const poll = { refetchAfter: () => pollMilliseconds }
  const read = useRead('GET /jobs/', { ...(state && { state }), page: pageOf(parameters), per_page: pageSize }, poll)
  const figures = useRead('GET /jobs/figures/', {}, poll)
  const columns = useColumns()
  const nameOf = useName()
  const retry = useWrite('POST /jobs/retry/', routes)
  const discard = useWrite('POST /jobs/discard/', routes)
  const [discarding, setDiscarding] = useState<Job>()
  const actions = (job: Job) => (
    <JobActions
      job={job}
      retry={({ id }) => retry.mutate({ body: { id } }, { onSuccess: () => toast(t('jobs.retried')) })}
      discard={setDiscarding}
    />
  )
  // The list is rendered together with the counts above it; counts that load later would shift the list.
  if (figures.data === undefined && figures.error === null)
    return (
      <Screen title={t('jobs.title')} text={t('jobs.text')}>
        <LoadingState lines={8} />
      </Screen>
    )
  return (
    <Screen title={t('jobs.title')} text={t('jobs.text')}>
      <Stack>
        <ErrorAlert error={retry.error} />
        {figures.data && <PausedNotice figures={figures.data} />}
        {figures.data && <Counts figures={figures.data} />}
        <DataTable
          label={t('jobs.title')}
          read={read}
          rowKey={({ id }) => id}
          columns={columns}
          empty={{ text: t('jobs.empty') }}
          filters={{
            names: ['state'],
            fields: (
              <QuerySelect
                name="state"
                label={t('jobs.state')}
                placeholder={t('jobs.allStates')}
                data={states.map((value) => ({ value, label: t(`jobs.${value}`) }))}
              />
            ),
          }}
          {...(role === 'admin' && { rowActions: actions })}
        />
      </Stack>
      <ConfirmDialog
        opened={discarding !== undefined}
        close={() => setDiscarding(undefined)}
        title={t('jobs.discardTitle', { name: discarding && nameOf(discarding) })}
        text={t('jobs.discardText')}
        action={t('jobs.discard')}
        danger
        confirm={async () => {
          if (!discarding) return
          await discard.mutateAsync({ body: { id: discarding.id } })
          toast(t('jobs.discarded'))
        }}
      />
    </Screen>
  )
}

function useColumns(): Column<Job>[] {
  const { t } = useTranslation()
  const nameOf = useName()
  return [
    {
      title: t('jobs.what'),
      cell: (job) => (
        <>
          <Text inherit miw={160} className="breakable">
            {nameOf(job)}
          </Text>
          {job.every === null && (
            <Text size="xs" c="dimmed" className="breakable">
              {job.key}
            </Text>
          )}
        </>
      ),
    },
    {
      title: t('jobs.state'),
      cell: ({ state }) => (
        <Badge color={colors[state]} miw="max-content">
          {t(`jobs.${state}`)}
        </Badge>
      ),
    },
    { title: t('jobs.when'), cell: (job) => <JobTimes job={job} /> },
    { title: t('jobs.attempts'), cell: ({ attempts }) => attempts },
    {
      title: t('jobs.error'),
      cell: ({ lastError }) => (
        <Text size="sm" className="breakable" lineClamp={3} maw={360}>
          {lastError ?? '–'}
        </Text>
      ),
    },
  ]
}

const colors = { due: 'gray', running: 'teal', parked: 'red' } as const

function useName(): (job: Job) => string {
  const { t } = useTranslation()
  return ({ kind }) => (isKnown(kind) ? t(`jobs.kinds.${kind}`) : kind)
}

const known: Readonly<Record<Kind, true>> = {
  'customer-words': true,
  'reservation-expiry': true,
  'plan-calendars': true,
  'calendar-sync': true,
  'calendar-account': true,
  'calendar-event': true,
  'calendar-compare': true,
  'bookings-mail': true,
  'plan-agendas': true,
  agenda: true,
  sweep: true,
  zones: true,
  'backup-watch': true,
  'payment-sync': true,
  'payment-expiry': true,
  'payment-cancellation': true,
  'payment-refund': true,
  'payment-card': true,
  'payment-check': true,
  'payment-dispute': true,
  'payment-reconciliation': true,
  'plan-reconciliation': true,
  'webhook-delivery': true,
  'webhook-availability': true,
  'webhook-replay': true,
  notification: true,
  'timed-notification': true,
  'test-mail': true,
  'plan-reminders': true,
  'account-mail': true,
  sms: true,
  'timed-sms': true,
  'test-sms': true,
}

function isKnown(kind: string): kind is Kind {
  return Object.hasOwn(known, kind)
}

function JobTimes({ job: { state, startedAt, runAt, every } }: { readonly job: Job }) {
  const { t } = useTranslation()
  const time = useDuration()
  return (
    <>
      <Timestamp at={state === 'running' ? (startedAt ?? runAt) : runAt} />
      {every !== null && (
        <Text size="xs" c="dimmed">
          {t('jobs.every', { time: time(every) })}
        </Text>
      )}
    </>
  )
}

function useDuration(): (seconds: number) => string {
  const { t } = useTranslation()
  return (seconds) => {
    if (seconds >= 3_600) return t('jobs.hours', { count: Math.floor(seconds / 3_600) })
    if (seconds >= 60) return t('jobs.minutes', { count: Math.floor(seconds / 60) })
    return t('jobs.seconds', { count: seconds })
  }
}

interface JobActionsProps {
  readonly job: Job
  readonly retry: (job: Job) => void
  readonly discard: (job: Job) => void
}

function JobActions({ job, retry, discard }: JobActionsProps) {
  const { t } = useTranslation()
  const name = useName()(job)
  if (job.state === 'running') return null
  return (
    <Group gap="xs" wrap="nowrap">
      <Tooltip label={t('jobs.retry')}>
        <ActionIcon aria-label={t('jobs.retryOf', { name })} onClick={() => retry(job)}>
          <IconPlayerPlay size={18} stroke={1.5} />
        </ActionIcon>
      </Tooltip>
      {job.every === null && (
        <Tooltip label={t('jobs.discard')}>
          <ActionIcon aria-label={t('jobs.discardOf', { name })} onClick={() => discard(job)}>
            <IconTrash size={18} stroke={1.5} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

function Counts({ figures }: { readonly figures: Figures }) {
  const { t } = useTranslation()
  const time = useDuration()
  const { due, scheduled, running, parked, oldestDueAge } = figures
  const shown: readonly (readonly [string, string | number])[] = [
    [t('jobs.dueCount'), due],
    [t('jobs.scheduledCount'), scheduled > maxCounted ? t('jobs.scheduledMore', { most: maxCounted }) : scheduled],
    [t('jobs.runningCount'), running],
    [t('jobs.parkedCount'), parked],
    [t('jobs.oldest'), due === 0 ? t('jobs.none') : time(oldestDueAge)],
  ]
  return (
    <Group component="dl" gap="xl" m={0}>
      {shown.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} fw={600} className="tabular">
            {value}
          </Text>
        </div>
      ))}
    </Group>
  )
}

function PausedNotice({ figures: { outboundPausedAt } }: { readonly figures: Figures }) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { role } = useUser()
  const resume = useWrite('POST /jobs/resume-outbound/', routes)
  const [asking, setAsking] = useState(false)
  if (outboundPausedAt === null) return null
  return (
    <WarningAlert title={t('jobs.pausedTitle')}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{t('jobs.pausedText', { date: dateTime(outboundPausedAt) })}</Text>
        {role === 'admin' && <Button onClick={() => setAsking(true)}>{t('jobs.resume')}</Button>}
      </Stack>
      <ConfirmDialog
        opened={asking}
        close={() => setAsking(false)}
        title={t('jobs.resumeTitle')}
        text={t('jobs.resumeText')}
        action={t('jobs.resume')}
        confirm={async () => {
          await resume.mutateAsync({})
          toast(t('jobs.resumed'))
        }}
      />
    </WarningAlert>
  )
}
