import { Badge, Button, Code, DataList, Group, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { webhookEventTypes } from '../../../../src/webhooks/event-types.ts'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { Drawer } from '../../components/dialogs/drawer.tsx'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { Screen } from '../../components/screen.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useRead, useWrite } from '../../data/queries.ts'
import { pageOf, useQueryParameters } from '../../data/query-parameters.ts'
import { isNotFound } from '../../data/refusal.ts'
import type { Item } from '../../data/request.ts'

type Delivery = Item<'GET /webhooks/deliveries/'>
type DeliveryDetails = Item<'GET /webhooks/deliveries/one/'>

const states = ['waiting', 'delivered', 'failed', 'cancelled'] as const
const colors = { waiting: 'gray', delivered: 'teal', failed: 'red', cancelled: 'gray' } as const
const changed = ['GET /webhooks/deliveries/', 'GET /webhooks/deliveries/one/'] as const
const pollMilliseconds = 3_000

/** The delivery log of webhooks, with search and filters; opening a delivery shows its payload and attempts. */
export function Deliveries() {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  const webhooks = useRead('GET /webhooks/', { per_page: 500 })
  const state = states.find((one) => one === parameters.state)
  const { endpoint, type, search } = parameters
  const query = {
    ...(state && { state }),
    ...(endpoint && { endpointId: endpoint }),
    ...(type && { type }),
    ...(search && { search }),
  }
  const poll = { refetchAfter: () => pollMilliseconds }
  const read = useRead('GET /webhooks/deliveries/', { ...query, page: pageOf(parameters), per_page: pageSize }, poll)
  const names = new Map((webhooks.data?.items ?? []).map(({ id, description, url }) => [id, description || url]))
  const columns: Column<Delivery>[] = [
    { title: t('webhooks.type'), cell: (delivery) => delivery.type },
    {
      title: t('webhooks.endpoint'),
      cell: ({ endpointId }) => (
        <Text size="sm" className="breakable">
          {names.get(endpointId) ?? endpointId}
        </Text>
      ),
    },
    { title: t('webhooks.state'), cell: (delivery) => <State state={delivery.state} /> },
    { title: t('webhooks.when'), cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
    { title: t('webhooks.attempts'), cell: ({ attempts }) => attempts },
    { title: t('webhooks.result'), cell: (delivery) => <Result delivery={delivery} /> },
  ]
  return (
    <Screen
      title={t('webhooks.deliveries')}
      text={t('webhooks.deliveriesText')}
      actions={<RedeliverFailed id={endpoint} />}
    >
      <DataTable
        label={t('webhooks.deliveries')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => change({ open: id })}
        searchable
        empty={{ text: t('webhooks.noDeliveries') }}
        filters={{
          names: ['endpoint', 'state', 'type'],
          fields: (
            <>
              <QuerySelect
                name="endpoint"
                label={t('webhooks.endpoint')}
                searchable
                data={[...names].map(([value, label]) => ({ value, label }))}
              />
              <QuerySelect
                name="state"
                label={t('webhooks.state')}
                data={states.map((value) => ({ value, label: t(`webhooks.${value}`) }))}
              />
              <QuerySelect name="type" label={t('webhooks.type')} searchable data={[...webhookEventTypes]} />
            </>
          ),
        }}
      />
      {parameters.open && <DeliveryDrawer id={parameters.open} close={() => change({ open: '' })} />}
    </Screen>
  )
}

function RedeliverFailed({ id }: { readonly id: string | undefined }) {
  const { t } = useTranslation()
  const redeliver = useRedeliver()
  if (!id) return null
  return (
    <Button
      variant="default"
      loading={redeliver.pending}
      onClick={() => redeliver.send({ endpointId: id, state: 'failed' })}
    >
      {t('webhooks.redeliverAll')}
    </Button>
  )
}

function useRedeliver() {
  const { t } = useTranslation()
  const write = useWrite('POST /webhooks/redeliver/', changed)
  return {
    pending: write.isPending,
    send: (body: Parameters<typeof write.mutateAsync>[0]['body']): void =>
      void write.mutateAsync({ body }).then(({ count }) => toast(t('webhooks.redelivered', { count })), toastError),
  }
}

function State({ state }: Pick<Delivery, 'state'>) {
  const { t } = useTranslation()
  return (
    <Badge color={colors[state]} miw="max-content">
      {t(`webhooks.${state}`)}
    </Badge>
  )
}

function Result({ delivery: { lastStatus, lastError, state, nextAt } }: { readonly delivery: Delivery }) {
  const { t } = useTranslation()
  const text = lastError ?? (lastStatus === null ? '–' : `HTTP ${lastStatus}`)
  return (
    <>
      <Text size="sm" className="breakable" lineClamp={2} maw={280}>
        {text}
      </Text>
      {state === 'waiting' && nextAt !== null && lastError !== null && (
        <Text size="xs" c="dimmed">
          {t('webhooks.next')} <Timestamp at={nextAt} />
        </Text>
      )}
    </>
  )
}

interface DrawerProps {
  readonly id: string
  readonly close: () => void
}

function DeliveryDrawer({ id, close }: DrawerProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRead('GET /webhooks/deliveries/one/', { id })
  const redeliver = useRedeliver()
  const shown = data?.id === id ? data : undefined
  return (
    <Drawer opened onClose={close} title={shown?.type ?? t('webhooks.deliveries')} size="lg">
      {shown && !isNotFound(error) ? (
        <Stack gap="lg">
          <Group justify="space-between">
            <State state={shown.state} />
            {shown.state !== 'waiting' && (
              <Button variant="default" loading={redeliver.pending} onClick={() => redeliver.send({ ids: [id] })}>
                {t('webhooks.redeliver')}
              </Button>
            )}
          </Group>
          <DataList orientation="vertical">
            <DataList.Item>
              <DataList.ItemLabel>webhook-id</DataList.ItemLabel>
              <DataList.ItemValue className="breakable">{shown.eventId}</DataList.ItemValue>
            </DataList.Item>
          </DataList>
          <Block title={t('webhooks.payload')} text={shown.payload} />
          {shown.tries.map((one) => (
            <AttemptDetails key={`${one.at} ${one.milliseconds}`} one={one} />
          ))}
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Drawer>
  )
}

function AttemptDetails({ one }: { readonly one: DeliveryDetails['tries'][number] }) {
  const { t } = useTranslation()
  const { at, milliseconds, status, error, requestHeaders, responseHeaders, response } = one
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={3} size="h5">
          {status === null ? t('webhooks.noResponse') : `HTTP ${status}`}
        </Title>
        <Text size="sm">
          <Timestamp at={at} /> · {t('webhooks.milliseconds', { count: milliseconds })}
        </Text>
      </Group>
      {error && (
        <Text size="sm" className="breakable">
          {error}
        </Text>
      )}
      <Block title={t('webhooks.request')} text={lines(requestHeaders)} />
      {status !== null && (
        <Block title={t('webhooks.response')} text={`${lines(responseHeaders)}\n\n${response ?? ''}`.trim()} />
      )}
    </Stack>
  )
}

function Block({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Code block className="breakable" tabIndex={0} role="region" aria-label={title}>
        {text}
      </Code>
    </div>
  )
}
