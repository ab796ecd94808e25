import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { emailKey } from '../../../../src/customers/customer.ts'
import { toast } from '../../components/dialogs/toast.tsx'
import { WarningAlert } from '../../components/dialogs/warning-alert.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { MessageBadge, MessageReason } from './message-state.tsx'

const shown = 5
// The log is polled, because messages are recorded without an event that live updates could report.
const pollMilliseconds = 3_000

interface RecentMessagesProps {
  /** The reservation or the customer that the messages are about. */
  readonly of: { readonly reservationId: string } | { readonly customerId: string }
}

/** Lists the five newest messages about a reservation or to a customer. */
export function RecentMessages({ of }: RecentMessagesProps) {
  const { t } = useTranslation()
  const heading = useId()
  const query = { ...of, per_page: shown }
  const { data, error, refetch } = useRead('GET /notifications/', query, { refetchAfter: () => pollMilliseconds })
  return (
    <Stack gap="xs" component="section" aria-labelledby={heading}>
      <Group justify="space-between">
        <Title order={3} size="h5" id={heading}>
          {t('notifications.log')}
        </Title>
        {data && data.total > shown && (
          <Anchor component={PanelLink} to="/settings/notifications" search={{ view: 'messages', ...of }} size="sm">
            {t('notifications.more', { count: data.total })}
          </Anchor>
        )}
      </Group>
      {data ? (
        <Stack component="ul" gap="xs" p={0} m={0} className="plain">
          {data.items.map(({ id, kind, recipient, state, reason, updatedAt }) => (
            <li key={id}>
              <Group gap="xs">
                <Text size="sm" fw={500}>
                  {t(`notifications.kinds.${kind}`)}
                </Text>
                <MessageBadge state={state} />
              </Group>
              <Text size="sm" c="dimmed" className="breakable" component="div">
                <Timestamp at={updatedAt} /> · {recipient}
              </Text>
              <MessageReason state={state} reason={reason} />
            </li>
          ))}
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState lines={1} />
      )}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('notifications.noneHere')}
        </Text>
      )}
    </Stack>
  )
}

interface NoticeProps {
  /** An e-mail address, or a phone number that starts with `+`. */
  readonly email: string
  /** Whether the address is that of a customer. Only customers get the messages that an unsubscription prevents. */
  readonly of: 'customer' | 'staff'
}

/**
 * Explains why the service sends no messages to an address, and lets the user allow them again; renders nothing for an
 * address that receives messages.
 */
export function SuppressionNotice({ email, of }: NoticeProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { data } = useRead('GET /notifications/suppressions/', { address: email }, { enabled: email !== '' })
  const allow = useWrite('POST /notifications/suppressions/remove/', ['GET /notifications/suppressions/'])
  const found = data?.items.find(({ address }) => address === emailKey(email))
  if (!found || (found.reason === 'unsubscribed' && of === 'staff')) return null
  const { reason, detail, createdAt } = found
  return (
    <WarningAlert title={t(`notifications.suppressed.${reason}`)}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" className="breakable">
          {email.startsWith('+')
            ? t('sms.suppressedText', { date: dateTime(createdAt), detail })
            : t(`notifications.suppressed.${reason}Text`, { address: email, date: dateTime(createdAt), detail })}
        </Text>
        <ErrorAlert error={allow.error} />
        <Button
          variant="default"
          loading={allow.isPending}
          onClick={() =>
            allow.mutate(
              { body: { address: email } },
              { onSuccess: () => toast(t('notifications.suppressed.allowed')) },
            )
          }
        >
          {t('notifications.suppressed.allow')}
        </Button>
      </Stack>
    </WarningAlert>
  )
}
