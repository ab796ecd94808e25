import { Badge, Button, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core'
import { IconCalendarPlus, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionsMenu, RemoveItem } from '../../../components/dialogs/actions-menu.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { toast, toastError } from '../../../components/dialogs/toast.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../components/states.tsx'
import { Timestamp } from '../../../components/timestamp.tsx'
import { useRead, useWrite } from '../../../data/queries.ts'
import { translateMessage } from '../../../i18n/index.ts'
import { CalendarAccounts } from './calendar-accounts.tsx'
import { CalendarFeeds } from './calendar-feeds.tsx'
import { ConnectCalendar, EditCalendar } from './connect-calendar.tsx'
import { OpeningsSummary } from './opening-fields.tsx'
import type { ShownCalendar } from './shown-calendar.ts'

const shortPoll = 1_000
const longPoll = 20_000

/**
 * Lists the connected calendars of a provider with their state, the times of the last and the next reading, and the
 * number of busy periods in each; below, the calendar accounts and the calendar feeds.
 */
export function ProviderCalendars({ providerId }: { readonly providerId: number }) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<'connect' | ShownCalendar>()
  const { data, error, refetch } = useRead(
    'GET /calendars/',
    { providerId },
    { refetchAfter: (read) => (read?.items.some(({ state }) => state === 'new') ? shortPoll : longPoll) },
  )
  if (error && !data) return <ErrorState error={error} retry={() => refetch()} />
  if (!data) return <LoadingState lines={4} />
  const { items, pollMinutes, maxAgeMinutes } = data
  const connect = (
    <Button leftSection={<IconCalendarPlus size={16} />} variant="default" onClick={() => setDialog('connect')}>
      {t('calendars.connect')}
    </Button>
  )
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('calendars.text', { poll: pollMinutes, maxAge: maxAgeMinutes })}
      </Text>
      {items.length === 0 ? (
        <EmptyState text={t('calendars.empty')}>{connect}</EmptyState>
      ) : (
        <>
          <Stack component="ul" gap="sm" p={0} m={0} aria-label={t('calendars.title')}>
            {items.map((calendar) => (
              <CalendarCard key={calendar.id} calendar={calendar} edit={() => setDialog(calendar)} />
            ))}
          </Stack>
          <Group>{connect}</Group>
        </>
      )}
      <CalendarAccounts providerId={providerId} />
      <CalendarFeeds providerId={providerId} />
      {dialog === 'connect' && <ConnectCalendar providerId={providerId} close={() => setDialog(undefined)} />}
      {dialog !== undefined && dialog !== 'connect' && (
        <EditCalendar calendar={dialog} close={() => setDialog(undefined)} />
      )}
    </Stack>
  )
}

const colors = { ok: 'teal', failing: 'orange', too_old: 'red', new: 'gray' } as const

interface CardProps {
  readonly calendar: ShownCalendar
  readonly edit: () => void
}

function CalendarCard({ calendar, edit }: CardProps) {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState(false)
  const sync = useWrite('POST /calendars/sync/', ['GET /calendars/'])
  const remove = useWrite('POST /calendars/remove/', ['GET /calendars/', 'GET /calendar-accounts/'])
  const { id, kind, name, host, state, fault, readAt, nextAt, push, count, coveredUntil } = calendar
  const read = (): void =>
    void sync.mutateAsync({ body: { id } }).then(() => toast(t('calendars.syncing', { name })), toastError)
  return (
    <Paper component="li" withBorder p="md" style={{ listStyle: 'none' }}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Title order={2} size="h4" className="breakable">
              {name}
            </Title>
            <Badge color={colors[state]} miw="max-content">
              {t(`calendars.states.${state}`)}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed" className="breakable">
            {host}
          </Text>
          {fault && (
            <Text size="sm" className="breakable">
              <b>{t('calendars.fault')}</b> {translateMessage(fault)}
            </Text>
          )}
          {state === 'too_old' && <Text size="sm">{t('calendars.tooOldText')}</Text>}
          <Text size="sm">
            {t('calendars.lastRead')} {readAt === null ? t('common.never') : <Timestamp at={readAt} as="ago" />} ·{' '}
            {t('calendars.nextRead')} <Timestamp at={nextAt} />
          </Text>
          {push !== 'off' && (
            <Text size="sm" c="dimmed">
              {t(`calendars.push.${push}`)}
            </Text>
          )}
          {coveredUntil !== null && (
            <Text size="sm" c="dimmed">
              {t('calendars.blocks', { count })} <Timestamp at={coveredUntil} />
            </Text>
          )}
          <OpeningsSummary calendar={calendar} />
        </Stack>
        <ActionsMenu label={t('calendars.actionsFor', { name })} loading={sync.isPending}>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={read}>
            {t('calendars.readNow')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={edit}>
            {t('common.edit')}
          </Menu.Item>
          <RemoveItem remove={() => setRemoving(true)} />
        </ActionsMenu>
      </Group>
      <ConfirmDialog
        opened={removing}
        close={() => setRemoving(false)}
        title={t('calendars.removeTitle', { name })}
        text={t(kind === 'ics' ? 'calendars.removeText' : 'calendars.removeOfAccountText')}
        action={t('common.remove')}
        danger
        confirm={() => remove.mutateAsync({ body: { id } }).then(() => toast(t('calendars.removed', { name })))}
      />
    </Paper>
  )
}
