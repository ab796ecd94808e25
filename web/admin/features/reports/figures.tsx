import { BarChart } from '@mantine/charts'
import { leadingAndProviders } from '../../../../src/access/users/role-groups.ts'
import { useHasRole } from '../../data/session.ts'
import '@mantine/charts/styles.css'
import { Paper, Progress, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { ProviderLink } from '../../components/records/provider-link.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { addDays } from '../../data/dates/dates.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { incomeText } from './income.ts'
import { type PeriodName, periodOf, periods } from './period.ts'
import styles from './today.module.css'

type Figures = Item<'GET /today/'>

/**
 * The figures of a period on the page Today: bookings, cancellations, utilisation and income, by day and by provider.
 */
export function Figures({ today }: { readonly today: string }) {
  const { t } = useTranslation()
  const [parameters] = useQueryParameters()
  const zone = useSession()?.site.timezone ?? ''
  const period = periodOf(parameters.period)
  const [first, last] = periods[period]
  const { data, error, refetch } = useRead('GET /today/', {
    from: addDays(today, first),
    to: addDays(today, last),
  })
  const names: PeriodName[] = ['today', 'last7', 'last30', 'last90', 'next7', 'next30']
  return (
    <Section
      title={t('today.figures')}
      text={t('today.figuresText', { zone })}
      actions={
        <QuerySelect
          name="period"
          fallback="last30"
          aria-label={t('today.period')}
          data={names.map((value) => ({ value, label: t(`today.periods.${value}`) }))}
        />
      }
    >
      {data ? (
        <Stack>
          <Sums figures={data} />
          <Days figures={data} />
          <Providers figures={data} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <LoadingState />
      )}
    </Section>
  )
}

interface FiguresProps {
  readonly figures: Figures
}

const total = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0)
const hours = (seconds: number): number => Math.round(seconds / 3600)

function Sums({ figures: { days, incomes, received } }: FiguresProps) {
  const { t } = useTranslation()
  const { share, money } = useFormats()
  const seesIncome = useHasRole(leadingAndProviders)
  const pending = total(days.map((day) => day.pending))
  const bookings = pending + total(days.map((day) => day.confirmed))
  const cancelled = total(days.map((day) => day.cancelled))
  const reserved = total(days.map((day) => day.reserved))
  const open = total(days.map((day) => day.open))
  return (
    <SimpleGrid cols={{ base: 2, md: seesIncome ? 4 : 3 }} spacing="sm">
      <Sum title={t('today.bookings')} text={t('today.bookingsText', { count: pending })}>
        {bookings}
      </Sum>
      <Sum
        title={t('today.cancellations')}
        text={t('today.cancellationsText', { share: share(cancelled / Math.max(1, cancelled + bookings)) })}
      >
        {cancelled}
      </Sum>
      <Sum
        title={t('today.occupancy')}
        text={t('today.occupancyText', { reserved: hours(reserved), open: hours(open) })}
      >
        {open === 0 ? '–' : share(reserved / open)}
      </Sum>
      {seesIncome && (
        <Sum
          title={t('today.income')}
          text={[
            t('today.incomeText'),
            ...(received.length === 0 ? [] : [t('today.received', { amount: incomeText(received, money) })]),
          ].join(' · ')}
        >
          {incomes.length === 0
            ? '–'
            : incomes.map(({ currency, amount }) => <div key={currency}>{money(amount, currency)}</div>)}
        </Sum>
      )}
    </SimpleGrid>
  )
}

interface SumProps {
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

function Sum({ title, text, children }: SumProps) {
  return (
    <Paper p="sm">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <div className={`tabular ${styles.figure}`}>{children}</div>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </Paper>
  )
}

function Days({ figures: { days } }: FiguresProps) {
  const { t } = useTranslation()
  const { dayAndMonth } = useFormats()
  const still = useReducedMotion()
  return (
    <Stack gap="xs">
      <div aria-hidden>
        <BarChart
          h={220}
          type="stacked"
          data={days.map((day) => ({ ...day, date: dayAndMonth(day.date) }))}
          dataKey="date"
          withLegend
          legendProps={{ verticalAlign: 'top', itemSorter: null }}
          barProps={{ isAnimationActive: !still }}
          maxBarWidth={48}
          // Screen readers use the table, so the chart's own accessibility layer is off.
          barChartProps={{ accessibilityLayer: false }}
          series={[
            { name: 'confirmed', label: t('reservations.statuses.confirmed'), color: 'teal.6' },
            { name: 'pending', label: t('reservations.statuses.pending'), color: 'yellow.5' },
            { name: 'cancelled', label: t('reservations.statuses.cancelled'), color: 'gray.5' },
          ]}
        />
      </div>
      <details>
        <Text component="summary" size="sm">
          {t('today.byDay')}
        </Text>
        <Table aria-label={t('today.chart')} className="tabular" layout="fixed" fz="xs" horizontalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('today.day')}</Table.Th>
              <Table.Th className="breakable">{t('reservations.statuses.confirmed')}</Table.Th>
              <Table.Th className="breakable">{t('reservations.statuses.pending')}</Table.Th>
              <Table.Th className="breakable">{t('reservations.statuses.cancelled')}</Table.Th>
              <Table.Th className="breakable">{t('today.hours')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days.map((day) => (
              <Table.Tr key={day.date}>
                <Table.Th scope="row">{dayAndMonth(day.date)}</Table.Th>
                <Table.Td>{day.confirmed}</Table.Td>
                <Table.Td>{day.pending}</Table.Td>
                <Table.Td>{day.cancelled}</Table.Td>
                <Table.Td>
                  {hours(day.reserved)} / {hours(day.open)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </details>
    </Stack>
  )
}

function Providers({ figures: { providers } }: FiguresProps) {
  const { t } = useTranslation()
  const { share } = useFormats()
  if (providers.length === 0) return null
  return (
    <Table captionSide="top">
      <Table.Caption>{t('today.byProvider')}</Table.Caption>
      <Table.Tbody>
        {providers.map(({ id, name, reserved, open }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row" fw={500}>
              <ProviderLink id={id} name={name} alone />
            </Table.Th>
            <Table.Td w="50%">
              <Progress value={open === 0 ? 0 : Math.min(100, Math.round((100 * reserved) / open))} aria-label={name} />
            </Table.Td>
            <Table.Td className="tabular" ta="end">
              {open === 0 ? '–' : share(reserved / open)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
