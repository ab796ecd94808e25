import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Item } from '../../data/request.ts'

/** One webhook as the panel lists it. */
export type Webhook = Item<'GET /webhooks/'>

/** A badge for an enabled, failing or disabled webhook. A disabled one is gray if a user disabled it, otherwise red. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation()
  const { enabled, failingSince, disabledBecause } = webhook
  const [color, text] = enabled
    ? failingSince === null
      ? (['teal', t('webhooks.enabled')] as const)
      : (['orange', t('webhooks.failing')] as const)
    : ([disabledBecause === 'user' ? 'gray' : 'red', t('webhooks.disabled')] as const)
  return (
    <Badge color={color} miw="max-content">
      {text}
    </Badge>
  )
}
