import { ActionIcon, Button, Text, Tooltip } from '@mantine/core'
import { IconPlus, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { Screen } from '../../components/screen.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import { WebhookDrawer } from './webhook-drawer.tsx'
import { AddWebhook } from './webhook-form.tsx'
import { type Webhook, WebhookState } from './webhook-state.tsx'

/** Lists the webhooks with their state, adds webhooks, sends test events, and opens the drawer of a webhook. */
export function WebhookList() {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const read = useRead('GET /webhooks/', { page: pageOf(parameters), per_page: pageSize })
  const test = useWrite('POST /webhooks/test/')
  const [adding, setAdding] = useState(false)
  const opened = read.data?.items.find(({ id }) => id === parameters.open)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('webhooks.add')}
    </Button>
  )
  const columns: Column<Webhook>[] = [
    { title: t('webhooks.address'), cell: (webhook) => <Name webhook={webhook} /> },
    {
      title: t('webhooks.events'),
      cell: ({ events }) => (
        <Text size="sm" className="breakable">
          {events.join(', ')}
        </Text>
      ),
    },
    { title: t('webhooks.state'), cell: (webhook) => <WebhookState webhook={webhook} /> },
    {
      title: t('webhooks.lastSuccess'),
      cell: ({ lastSuccessAt }) =>
        lastSuccessAt === null ? t('common.never') : <Timestamp at={lastSuccessAt} as="ago" />,
    },
  ]
  return (
    <Screen title={t('webhooks.title')} text={t('webhooks.text')} actions={add}>
      <ErrorAlert error={test.error} />
      <DataTable
        label={t('webhooks.title')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => change({ open: id })}
        empty={{ text: t('webhooks.empty'), action: add }}
        rowActions={({ id, enabled, url }) =>
          enabled && (
            <Tooltip label={t('webhooks.test')}>
              <ActionIcon
                aria-label={`${t('webhooks.test')}: ${url}`}
                onClick={() => test.mutate({ body: { id } }, { onSuccess: () => toast(t('webhooks.testSent')) })}
              >
                <IconSend size={18} stroke={1.5} />
              </ActionIcon>
            </Tooltip>
          )
        }
      />
      {adding && <AddWebhook close={() => setAdding(false)} />}
      {opened && <WebhookDrawer key={opened.id} webhook={opened} close={() => change({ open: '' })} />}
    </Screen>
  )
}

function Name({ webhook: { url, description } }: { readonly webhook: Webhook }) {
  return (
    <>
      <Text inherit miw={160} className="breakable">
        {description || url}
      </Text>
      {description && (
        <Text size="xs" c="dimmed" className="breakable">
          {url}
        </Text>
      )}
    </>
  )
}
