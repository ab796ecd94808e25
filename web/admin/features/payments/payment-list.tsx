import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { IconDownload, IconGavel } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { postingKinds } from '../../../../src/payments/ledger/ledger.ts'
import { queryText } from '../../../client.ts'
import { type Column, DataTable, pageSize } from '../../components/data-table.tsx'
import { QueryDateField } from '../../components/fields/query-date-field.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { ReceiptLink } from '../../components/records/receipt-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { pageOf, type QueryParameters, useQueryParameters } from '../../data/query-parameters.ts'
import { type Item, type PanelRouteQuery, panelApiRoot } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { useDisputeText } from './dispute-text.ts'

type Posting = Item<'GET /payments/'>

/**
 * The screen that lists all postings (changes in the ledger of payments), with filters, links to reservations and
 * receipts, and a CSV download.
 */
export default function PaymentList() {
  const { t } = useTranslation()
  const { money } = useFormats()
  const [parameters] = useQueryParameters()
  const zone = useSession()?.site.timezone ?? ''
  const filter = filterOf(parameters)
  const read = useRead('GET /payments/', { ...filter, page: pageOf(parameters), per_page: pageSize })
  const removed = t('payments.list.removed')
  const columns: Column<Posting>[] = [
    { title: t('payments.list.date'), cell: ({ at }) => <Timestamp at={at} /> },
    { title: t('payments.list.kind'), cell: ({ kind }) => t(`payments.desk.kinds.${kind}`) },
    {
      title: t('payments.list.amount'),
      cell: ({ gross, fee, amount, currency }) => (
        <Text span size="sm" className="tabular">
          {money(gross || -fee || amount, currency)}
        </Text>
      ),
    },
    { title: t('payments.list.customer'), cell: (posting) => <Customer posting={posting} /> },
    { title: t('payments.list.service'), cell: ({ service }) => (service ? service.name || removed : '–') },
    {
      title: t('payments.list.provider'),
      cell: ({ provider }) => (provider ? provider.name ? <ProviderLink {...provider} alone /> : removed : '–'),
    },
    {
      title: t('payments.list.tax'),
      cell: ({ tax, currency }) => (
        <Text span size="sm" className="tabular">
          {tax ? money(tax, currency) : '–'}
        </Text>
      ),
    },
    {
      title: t('payments.list.receipt'),
      cell: ({ receipt }) =>
        receipt ? (
          <ReceiptLink id={receipt.id}>
            <span className="tabular">{receipt.number}</span>
          </ReceiptLink>
        ) : (
          '–'
        ),
    },
  ]
  return (
    <Screen
      title={t('places.payments')}
      text={t('payments.list.text', { zone })}
      actions={
        <Button
          component="a"
          href={`${panelApiRoot}/payments/csv/${queryText(filter)}`}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {t('payments.list.csv')}
        </Button>
      }
    >
      <Disputes />
      <DataTable<Posting>
        label={t('places.payments')}
        read={read}
        rowKey={({ id }) => id}
        columns={columns}
        searchable
        empty={{ text: t('payments.list.empty') }}
        filters={{ names: ['kind', 'serviceId', 'providerId', 'from', 'to'], fields: <Filters /> }}
      />
    </Screen>
  )
}

/**
 * Lists the disputes that the bank has not decided, since evidence can be submitted only until a deadline; renders
 * nothing when there are none.
 */
function Disputes() {
  const { t } = useTranslation()
  const text = useDisputeText()
  const { data = [] } = useRead('GET /payments/disputes/', {})
  if (data.length === 0) return null
  return (
    <Alert color="orange" icon={<IconGavel />} title={t('payments.disputes.title')} mb="sm">
      <Stack component="ul" gap={4} m={0} pl="md">
        {data.map(({ reservationId, customer, ...dispute }) => (
          <li key={dispute.id}>
            <Anchor
              component={PanelLink}
              to={`/reservations?when=all&open=${reservationId}`}
              size="sm"
              c="inherit"
              underline="always"
            >
              {customer || t('payments.list.removed')}
            </Anchor>
            {': '}
            {text(dispute)}
          </li>
        ))}
      </Stack>
    </Alert>
  )
}

function Customer({ posting: { customer, reservationId } }: { readonly posting: Posting }) {
  const { t } = useTranslation()
  if (!customer) return '–'
  const name = customer.name || t('payments.list.removed')
  if (reservationId === null) return name
  return (
    <Anchor
      component={PanelLink}
      to={`/reservations?when=all&open=${reservationId}`}
      size="sm"
      aria-label={t('payments.list.open', { name })}
    >
      {name}
    </Anchor>
  )
}

function Filters() {
  const { t } = useTranslation()
  const zone = useSession()?.site.timezone ?? ''
  const { data } = useRead('GET /reservations/filters/', {})
  const choices = (list: readonly { readonly id: string | number; readonly name: string }[] = []) =>
    list.map(({ id, name }) => ({ value: String(id), label: name }))
  const any = t('payments.list.any')
  return (
    <>
      <QuerySelect
        name="kind"
        label={t('payments.list.kind')}
        placeholder={any}
        w={{ base: '100%', sm: 150 }}
        data={postingKinds.map((value) => ({ value, label: t(`payments.desk.kinds.${value}`) }))}
      />
      <QuerySelect
        name="serviceId"
        label={t('payments.list.service')}
        placeholder={any}
        searchable
        w={{ base: '100%', sm: 130 }}
        data={choices(data?.services)}
      />
      <QuerySelect
        name="providerId"
        label={t('payments.list.provider')}
        placeholder={any}
        searchable
        w={{ base: '100%', sm: 130 }}
        data={choices(data?.providers)}
      />
      <QueryDateField name="from" label={t('reservations.from')} title={t('payments.list.dates', { zone })} />
      <QueryDateField name="to" label={t('reservations.to')} title={t('payments.list.dates', { zone })} />
    </>
  )
}

/**
 * Converts the query parameters of the screen to those of the API; invalid values of `kind` and `providerId` are
 * dropped.
 */
function filterOf(address: QueryParameters): PanelRouteQuery<'GET /payments/'> {
  const kind = postingKinds.find((one) => one === address.kind)
  return {
    ...(address.search && { search: address.search }),
    ...(kind && { kind }),
    ...(address.serviceId && { serviceId: address.serviceId }),
    ...(/^\d{1,15}$/.test(address.providerId ?? '') && { providerId: Number(address.providerId) }),
    ...(address.from && { from: address.from }),
    ...(address.to && { to: address.to }),
  }
}
