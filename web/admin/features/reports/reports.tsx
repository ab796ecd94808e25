import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { Anchor, Button, Group, Paper, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import { csvHeader, csvLine } from '../../../../src/csv.ts'
import { decimalText } from '../../../../src/money.ts'
import type { ReportDimension } from '../../../../src/reports/report.ts'
import { download } from '../../components/download.ts'
import { QueryDateField } from '../../components/fields/query-date-field.tsx'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { addDays, isDate } from '../../data/dates/dates.ts'
import { useFormats, useLocale } from '../../data/dates/formats.ts'
import { dateFormat } from '../../data/dates/intl.ts'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { incomeText, incomeTotal } from './income.ts'
import { reportPeriodNames, reportPeriods } from './period.ts'
import styles from './today.module.css'

type Report = Item<'GET /reports/'>
type Row = Report['rows'][number]

const dimensions = ['provider', 'service', 'month', 'weekday', 'hour'] as const satisfies readonly ReportDimension[]
const usualDays = 30

/**
 * The screen of reports: bookings, cancellations, no-shows, hours and income of a period, grouped by provider, service,
 * month, weekday or hour, and compared with an earlier period.
 */
export default function Reports() {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const session = useSession()
  const zone = session?.site.timezone ?? ''
  const today = clockOf(zone || 'UTC').dateOf(session?.now ?? 0)
  const to = isDate(parameters.to) ? parameters.to : addDays(today, -1)
  const from = isDate(parameters.from) ? parameters.from : addDays(to, 1 - usualDays)
  const by = dimensions.find((one) => one === parameters.by) ?? 'provider'
  const { data, error, refetch } = useRead('GET /reports/', { from, to, by })
  return (
    <Screen title={t('reports.title')} text={t('reports.text', { zone })}>
      <Group align="flex-end" gap="sm">
        <QuerySelect
          name="by"
          fallback="provider"
          label={t('reports.by')}
          data={dimensions.map((value) => ({ value, label: t(`reports.dimensions.${value}`) }))}
        />
        <PeriodSelect today={today} from={from} to={to} />
        <QueryDateField name="from" fallback={from} label={t('reservations.from')} />
        <QueryDateField name="to" fallback={to} label={t('reservations.to')} />
      </Group>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data ? (
        <Stack>
          <Totals report={data} />
          <Rows report={data} by={by} from={from} to={to} />
        </Stack>
      ) : (
        <LoadingState lines={6} />
      )}
    </Screen>
  )
}

interface PeriodSelectProps {
  readonly today: string
  readonly from: string
  readonly to: string
}

/** Selects a predefined period; shows `other` when `from` and `to` match none of them. */
function PeriodSelect({ today, from, to }: PeriodSelectProps) {
  const { t } = useTranslation()
  const [, change] = useQueryParameters()
  const periods = reportPeriods(today)
  const chosen = reportPeriodNames.find((name) => periods[name].from === from && periods[name].to === to)
  const names = [...reportPeriodNames, ...(chosen ? [] : (['other'] as const))]
  return (
    <Select
      label={t('reports.period')}
      data={names.map((value) => ({ value, label: t(`reports.periods.${value}`) }))}
      value={chosen ?? 'other'}
      onChange={(name) => {
        const wanted = reportPeriodNames.find((one) => one === name)
        if (wanted) change(periods[wanted])
      }}
      allowDeselect={false}
      w={{ base: '100%', sm: 170 }}
    />
  )
}

function Totals({ report }: { readonly report: Report }) {
  const { t } = useTranslation()
  const { share } = useFormats()
  const { rows, customers, previousCustomers } = report
  const sum = (of: (row: Pick<Row, 'bookings' | 'cancelled' | 'noShows' | 'attended'>) => number) =>
    [rows.reduce((all, row) => all + of(row), 0), rows.reduce((all, row) => all + of(row.previous), 0)] as const
  const [bookings, bookingsBefore] = sum((row) => row.bookings)
  const [cancelled, cancelledBefore] = sum((row) => row.cancelled)
  const [missed, missedBefore] = sum((row) => row.noShows)
  const [came] = sum((row) => row.attended)
  const withIncome = rows.some(({ income, previous }) => income.length + previous.income.length > 0)
  const fresh = ({ customers: all, returning }: Report['customers']): number => all - returning
  return (
    <SimpleGrid cols={{ base: 2, md: withIncome ? 5 : 4 }} spacing="sm">
      <Total title={t('today.bookings')} value={bookings} before={bookingsBefore} text="" />
      <Total
        title={t('today.cancellations')}
        value={cancelled}
        before={cancelledBefore}
        text={t('today.cancellationsText', { share: share(cancelled / Math.max(1, cancelled + bookings)) })}
      />
      <Total
        title={t('reports.noShows')}
        value={missed}
        before={missedBefore}
        text={t('reports.noShowsText', { share: share(missed / Math.max(1, missed + came)) })}
      />
      <Total
        title={t('reports.newCustomers')}
        value={fresh(customers)}
        before={fresh(previousCustomers)}
        text={t('reports.returning', { count: customers.returning })}
      />
      {withIncome && <Income rows={rows} />}
    </SimpleGrid>
  )
}

/**
 * Shows the total of payments less refunds and disputes in the period of a report, compared with the report's earlier
 * period.
 */
function Income({ rows }: Pick<Report, 'rows'>) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const leads = useHasRole(leading)
  const income = incomeTotal(rows)
  const before = incomeTotal(rows.map(({ previous }) => previous))
  const zero = [...income, ...before].slice(0, 1).map(({ currency }) => ({ currency, amount: 0 }))
  const text = (sums: typeof income) => incomeText(sums.length === 0 ? zero : sums, money)
  return (
    <Total title={t('reports.income')} value={text(income)} before={text(before)} text={t('reports.incomeText')}>
      {leads && (
        <Anchor component={PanelLink} to="/payments" size="xs">
          {t('reports.payments')}
        </Anchor>
      )}
    </Total>
  )
}

interface TotalProps {
  readonly title: string
  readonly value: number | string
  readonly before: number | string
  readonly text: string
  readonly children?: ReactNode
}

function Total({ title, value, before, text, children }: TotalProps) {
  const { t } = useTranslation()
  return (
    <Paper p="sm">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className={`tabular ${styles.figure}`}>{value}</div>
      <Text size="xs" c="dimmed">
        {t('reports.before', { value: before })}
        {text && ` · ${text}`}
      </Text>
      {children}
    </Paper>
  )
}

interface RowsProps {
  readonly report: Report
  readonly by: ReportDimension
  readonly from: string
  readonly to: string
}

function Rows({ report: { rows }, by, from, to }: RowsProps) {
  const { t } = useTranslation()
  const { share, money, number } = useFormats()
  const locale = useLocale()
  const currencies = incomeTotal(rows).map(({ currency }) => currency)
  const nameOf = useNames(by)
  const still = useReducedMotion()
  const hours = (seconds: number): number => Math.round(seconds / 360) / 10
  const heads = [
    t(`reports.dimensions.${by}`),
    t('today.bookings'),
    t('reports.previous'),
    t('today.cancellations'),
    t('reports.noShows'),
    t('today.hours'),
    ...(by === 'provider' ? [t('today.occupancy')] : []),
  ]
  const earlier = (head: string): string => `${head} (${t('reports.previous')})`
  const tableHeads = [...heads, ...(currencies.length > 0 ? [t('reports.income')] : [])]
  const save = (): void => {
    const lines = rows.map((row) => [
      nameOf(row),
      row.bookings,
      row.previous.bookings,
      row.cancelled,
      row.noShows,
      hours(row.seconds),
      ...(by === 'provider' ? [row.open ? Math.round((1000 * row.seconds) / row.open) / 1000 : ''] : []),
      ...currencies.map((currency) => {
        const amount = row.income.find((one) => one.currency === currency)?.amount ?? 0
        return Number(decimalText({ amount, currency }))
      }),
      ...[row.previous.cancelled, row.previous.noShows],
    ])
    const fileHeads = [
      ...[...heads, ...currencies.map((currency) => t('reports.incomeOf', { currency }))],
      ...[earlier(t('today.cancellations')), earlier(t('reports.noShows'))],
    ]
    download(`report-${by}-${from}-${to}.csv`, csvHeader(fileHeads) + lines.map(csvLine).join(''))
  }
  if (rows.length === 0) return <EmptyState text={t('reports.empty')} />
  return (
    <Section
      title={t('reports.table')}
      text={dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).formatRange(new Date(from), new Date(to))}
      actions={
        <Button variant="default" size="xs" leftSection={<IconDownload size={16} />} onClick={save}>
          {t('reports.csv')}
        </Button>
      }
    >
      <div aria-hidden>
        <BarChart
          yAxisProps={{ allowDecimals: false }}
          h={220}
          data={rows.map((row) => ({ name: nameOf(row), now: row.bookings, before: row.previous.bookings }))}
          dataKey="name"
          withLegend
          legendProps={{ verticalAlign: 'top', itemSorter: null }}
          barProps={{ isAnimationActive: !still }}
          maxBarWidth={36}
          // Screen readers use the table, so the chart's own accessibility layer is off.
          barChartProps={{ accessibilityLayer: false }}
          series={[
            { name: 'now', label: t('today.bookings'), color: 'teal.6' },
            { name: 'before', label: t('reports.previous'), color: 'gray.5' },
          ]}
        />
      </div>
      <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={t('reports.table')} className="tabular">
          <Table.Thead>
            <Table.Tr>
              {tableHeads.map((head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                <Table.Th scope="row" fw={500} className="breakable">
                  {nameOf(row)}
                </Table.Th>
                <Table.Td>{row.bookings}</Table.Td>
                <Table.Td>{row.previous.bookings}</Table.Td>
                <Table.Td>{row.cancelled}</Table.Td>
                <Table.Td>
                  {row.noShows}
                  {row.noShows + row.attended > 0 && ` (${share(row.noShows / (row.noShows + row.attended))})`}
                </Table.Td>
                <Table.Td>{number(hours(row.seconds))}</Table.Td>
                {by === 'provider' && <Table.Td>{row.open ? share(row.seconds / row.open) : '–'}</Table.Td>}
                {currencies.length > 0 && (
                  <Table.Td>{row.income.length === 0 ? '–' : incomeText(row.income, money)}</Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  )
}

/**
 * Returns a function that names a row of a report: months, weekdays and hours in the user's locale, and `Deleted`,
 * translated, for a removed provider or service.
 */
function useNames(by: ReportDimension): (row: Pick<Row, 'key' | 'name'>) => string {
  const { t } = useTranslation()
  const locale = useLocale()
  // 5 January 1970 (day 4 of the Unix epoch) was a Monday, the first weekday.
  const utc = (options: Intl.DateTimeFormatOptions, day: number, hour: number): string =>
    dateFormat(locale, { ...options, timeZone: 'UTC' }).format(((4 + day) * 24 + hour) * 3_600_000)
  return ({ key, name }) => {
    if (by === 'month')
      return dateFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${key}-01`))
    if (by === 'weekday') return utc({ weekday: 'long' }, Number(key), 0)
    if (by === 'hour') return utc({ hour: 'numeric', minute: '2-digit' }, 0, Number(key))
    return name || t('reservations.removed')
  }
}
