import { Anchor, Box, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { mailKinds } from '../../../../src/notifications/templates/template.ts'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { QueryTextField } from '../../components/fields/query-text-field.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useRead } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import { allKinds } from './mail-values.ts'
import { type LoggedMessage, MessageBadge, MessageReason } from './message-state.tsx'

const kinds = [...allKinds, ...mailKinds, 'test'] as const
const states = ['sent', 'retrying', 'failed', 'skipped'] as const
const filters = ['kind', 'state', 'recipient', 'reservationId', 'customerId'] as const
// The log is polled, because messages are recorded without an event that live updates could report.
const pollMilliseconds = 3_000

/**
 * The log of messages with their delivery states, and filters. A row contains links to the reservation and the customer
 * that its message is about, if any.
 */
export function MessageLog() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const { recipient, reservationId, customerId } = parameters
  const kind = kinds.find((one) => one === parameters.kind)
  const state = states.find((one) => one === parameters.state)
  const query = {
    ...(kind && { kind }),
    ...(state && { state }),
    ...(recipient && { recipient }),
    ...(reservationId && { reservationId }),
    ...(customerId && { customerId }),
  }
  const read = useRead(
    'GET /notifications/',
    { ...query, page: pageOf(parameters), per_page: pageSize },
    { refetchAfter: () => pollMilliseconds },
  )
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('notifications.logText')}
      </Text>
      <DataTable
        label={t('notifications.log')}
        read={read}
        rowKey={({ id }) => id}
        columns={useColumns()}
        empty={{
          text: t('notifications.empty'),
          action: (
            <Button component={PanelLink} to="/settings/notifications" variant="default">
              {t('notifications.setUp')}
            </Button>
          ),
        }}
        filters={{ names: filters, fields: <Filters /> }}
      />
    </>
  )
}

function Filters() {
  const { t } = useTranslation()
  return (
    <>
      <QuerySelect
        name="kind"
        label={t('notifications.kind')}
        placeholder={t('notifications.allKinds')}
        data={kinds.map((value) => ({ value, label: t(`notifications.kinds.${value}`) }))}
      />
      <QuerySelect
        name="state"
        label={t('notifications.state')}
        placeholder={t('notifications.allStates')}
        data={states.map((value) => ({ value, label: t(`notifications.states.${value}`) }))}
      />
      <QueryTextField
        name="recipient"
        label={t('notifications.recipient')}
        placeholder={t('notifications.recipientHint')}
      />
    </>
  )
}

function useColumns(): Column<LoggedMessage>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('notifications.message'),
      cell: ({ kind, subject, channel }) => (
        <Box miw={180}>
          {t(`notifications.kinds.${kind}`)}
          {channel === 'sms' && ` · ${t('sms.channels.sms')}`}
          <Text size="xs" c="dimmed" className="breakable">
            {subject}
          </Text>
        </Box>
      ),
    },
    {
      title: t('notifications.recipient'),
      cell: ({ recipient }) => (
        <Text inherit className="breakable" miw={140}>
          {recipient}
        </Text>
      ),
    },
    {
      title: t('notifications.state'),
      cell: ({ state, reason, attempts }) => (
        <Box maw={340}>
          <Group gap="xs">
            <MessageBadge state={state} />
            {attempts > 1 && (
              <Text size="xs" c="dimmed">
                {t('notifications.attempts', { count: attempts })}
              </Text>
            )}
          </Group>
          <MessageReason state={state} reason={reason} />
        </Box>
      ),
    },
    { title: t('notifications.when'), cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
    { title: t('notifications.about'), cell: (message) => <About message={message} /> },
  ]
}

function About({ message: { reservationId, customerId } }: { readonly message: LoggedMessage }) {
  const { t } = useTranslation()
  if (reservationId === null && customerId === null) return '–'
  return (
    <Group gap="xs">
      {reservationId !== null && (
        <Anchor component={PanelLink} to="/reservations" search={{ open: reservationId }} size="sm">
          {t('notifications.reservation')}
        </Anchor>
      )}
      {customerId !== null && (
        <Anchor component={PanelLink} to="/customers" search={{ open: customerId }} size="sm">
          {t('notifications.customer')}
        </Anchor>
      )}
    </Group>
  )
}
