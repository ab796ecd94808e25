import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Item } from '../../data/request.ts'
import { FailureText } from './failure-text.tsx'

/** One message in the log of messages. */
export type LoggedMessage = Item<'GET /notifications/'>

const colors = { sent: 'teal', failed: 'red', skipped: 'gray', retrying: 'yellow' } as const

/** A badge with the delivery state of a message. */
export function MessageBadge({ state }: Pick<LoggedMessage, 'state'>) {
  const { t } = useTranslation()
  return (
    <Badge color={colors[state]} miw="max-content">
      {t(`notifications.states.${state}`)}
    </Badge>
  )
}

/** Explains why a message was not sent; renders nothing without a reason, as for a message that was sent. */
export function MessageReason({ state, reason }: Pick<LoggedMessage, 'state' | 'reason'>) {
  const { t } = useTranslation()
  if (reason === '') return null
  if (state !== 'skipped') return <FailureText reason={reason} />
  return (
    <Text size="sm">
      {reason === 'bounced' || reason === 'unsubscribed' ? t(`notifications.reasons.${reason}`) : reason}
    </Text>
  )
}
