import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { Tokens } from '../access/tokens/tokens.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookList } from './webhook-list.tsx'

const views = ['tokens', 'webhooks', 'deliveries'] as const

/** The screen for integrations: API tokens, webhooks and the delivery log of webhooks. */
export default function ApiAndWebhooks() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const navigate = useNavigate()
  const view = views.find((one) => one === parameters.view) ?? 'tokens'
  return (
    // The tabs have different filters, so changing the tab clears the query parameters.
    <Tabs
      value={view}
      keepMounted={false}
      onChange={(to) => void navigate({ to: '.', search: to === null || to === 'tokens' ? {} : { view: to } })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="tokens">{t('tokens.title')}</Tabs.Tab>
        <Tabs.Tab value="webhooks">{t('webhooks.list')}</Tabs.Tab>
        <Tabs.Tab value="deliveries">{t('webhooks.deliveries')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tokens">
        <Tokens />
      </Tabs.Panel>
      <Tabs.Panel value="webhooks">
        <WebhookList />
      </Tabs.Panel>
      <Tabs.Panel value="deliveries">
        <Deliveries />
      </Tabs.Panel>
    </Tabs>
  )
}
