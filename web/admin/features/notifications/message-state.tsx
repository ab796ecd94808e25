import { Badge, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Item } from '../../data/request.ts'
import { FailureText } from './failure-text.tsx'

/** One entry of the log of messages. */
export type LoggedMessage = Item<'GET /notifications/'>

const colors = { sent: 'teal', failed: 'red', skipped: 'gray', retrying: 'yellow' } as const

/** The state of a message as a badge. */
export function MessageBadge({ state }: Pick<LoggedMessage, 'state'>) {
  const { t } = useTranslation()
  return (
    <Badge color={colors[state]} miw="max-content">
      {t(`notifications.states.${state}`)}
    </Badge>
  )
}

/** Why a message was not sent; renders nothing for a message that was sent. */
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
