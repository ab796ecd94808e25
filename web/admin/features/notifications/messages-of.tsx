import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { emailKey } from '../../../../src/customers/customer.ts'
import { Caution } from '../../components/dialogs/caution.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { Problem } from '../../components/fields/write-form.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { When } from '../../components/when.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import { MessageBadge, MessageReason } from './message-state.tsx'

const shown = 5
// Messages are recorded without an event of the feed.
const pollMilliseconds = 3_000

interface MessagesOfProps {
  /** The reservation or the customer that the messages are about. */
  readonly of: { readonly reservationId: string } | { readonly customerId: string }
}

/** The newest messages about a reservation or to a customer. */
export function MessagesOf({ of }: MessagesOfProps) {
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
                <When at={updatedAt} /> · {recipient}
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

/** Says why messages to an address or a number are suppressed, and allows mail again; empty for other addresses. */
export function SuppressionNotice({ email }: { readonly email: string }) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { data } = useRead('GET /notifications/suppressions/', { address: email }, { when: email !== '' })
  const allow = useWrite('POST /notifications/suppressions/remove/', ['GET /notifications/suppressions/'])
  const found = data?.items.find(({ address }) => address === emailKey(email))
  if (!found) return null
  const { reason, detail, createdAt } = found
  return (
    <Caution title={t(`notifications.suppressed.${reason}`)}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" className="breakable">
          {email.startsWith('+')
            ? t('sms.suppressedText', { date: dateTime(createdAt), detail })
            : t(`notifications.suppressed.${reason}Text`, { date: dateTime(createdAt), detail })}
        </Text>
        <Problem error={allow.error} />
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
    </Caution>
  )
}
