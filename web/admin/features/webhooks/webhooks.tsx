import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../data/address.ts'
import { Deliveries } from './deliveries.tsx'
import { WebhookList } from './webhook-list.tsx'

/** Webhooks and their delivery log. */
export default function Webhooks() {
  const { t } = useTranslation()
  const [{ view = 'list' }] = useAddress()
  const navigate = useNavigate()
  return (
    // The tabs have different filters, so switching clears the query parameters.
    <Tabs
      value={view}
      keepMounted={false}
      onChange={(to) => void navigate({ to: '.', search: to === 'deliveries' ? { view: to } : {} })}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="list">{t('webhooks.list')}</Tabs.Tab>
        <Tabs.Tab value="deliveries">{t('webhooks.deliveries')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="list">
        <WebhookList />
      </Tabs.Panel>
      <Tabs.Panel value="deliveries">
        <Deliveries />
      </Tabs.Panel>
    </Tabs>
  )
}
