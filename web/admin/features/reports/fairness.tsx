import { Anchor, Group, Paper, Progress, Select, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { isPool } from '../../../../src/catalogue/services/service.ts'
import { QuerySelect } from '../../components/fields/query-select.tsx'
import { PanelLink } from '../../components/panel-link.tsx'
import { Screen } from '../../components/screen.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../components/states.tsx'
import { Timestamp } from '../../components/timestamp.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { addDays } from '../../data/dates/dates.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'
import { RoutingDecision } from '../reservations/routing-decision.tsx'
import styles from './fairness.module.css'
import { type PeriodName, periodOf, periods } from './period.ts'

type FairnessReport = Item<'GET /services/fairness/'>
type Choices = Item<'GET /reservations/filters/'>

/**
 * The screen on how a service's reservations are distributed among its providers: their actual and expected shares,
 * and, unless customers choose the provider, the reasons why the latest reservations were assigned to their providers.
 */
export default function Fairness() {
  const { t } = useTranslation()
  const zone = useSession()?.site.timezone ?? ''
  const { data, error, refetch } = useRead('GET /reservations/filters/', {})
  return (
    <Screen title={t('fairness.title')} text={t('fairness.text', { zone })}>
      {data ? (
        <FairnessForm services={data.services} />
      ) : error ? (
        <ErrorState error={error} retry={() => refetch()} />
      ) : (
        <LoadingState />
      )}
    </Screen>
  )
}

const names: PeriodName[] = ['today', 'last7', 'last30', 'last90', 'next7', 'next30']

function FairnessForm({ services }: Pick<Choices, 'services'>) {
  const { t } = useTranslation()
  const [parameters, change] = useQueryParameters()
  // A service that does not choose among its providers has no shares to report, so the report opens with another one.
  const first = services.find(({ routingMode }) => isPool(routingMode)) ?? services[0]
  const service = services.find(({ id }) => id === parameters.serviceId) ?? first
  if (!service)
    return (
      <Paper>
        <EmptyState text={t('fairness.empty')} />
      </Paper>
    )
  return (
    <>
      <Group align="flex-end" gap="sm">
        <Select
          label={t('fairness.service')}
          data={services.map(({ id, name }) => ({ value: id, label: name }))}
          value={service.id}
          onChange={(id) => id !== null && change({ serviceId: id })}
          allowDeselect={false}
          searchable
          limit={100}
        />
        <QuerySelect
          name="period"
          fallback="last30"
          label={t('today.period')}
          data={names.map((value) => ({ value, label: t(`today.periods.${value}`) }))}
        />
      </Group>
      <Report id={service.id} period={periodOf(parameters.period)} />
    </>
  )
}

function Report({ id, period }: { readonly id: string; readonly period: PeriodName }) {
  const session = useSession()
  const today = clockOf(session?.site.timezone ?? 'UTC').dateOf(session?.now ?? 0)
  const [first, last] = periods[period]
  const { data, error, isPlaceholderData, refetch } = useRead('GET /services/fairness/', {
    id,
    from: addDays(today, first),
    to: addDays(today, last),
  })
  if (error) return <ErrorState error={error} retry={() => refetch()} />
  if (!data) return <LoadingState lines={8} />
  return (
    <Stack aria-busy={isPlaceholderData}>
      <Shares fairness={data} />
      {data.mode !== 'direct' && <Reasons last={data.last} />}
    </Stack>
  )
}

function Shares({ fairness }: { readonly fairness: FairnessReport }) {
  const { t } = useTranslation()
  const { mode, next, providers, others } = fairness
  const promise =
    mode === 'weighted'
      ? t('fairness.byWeight')
      : t(providers[0]?.share == null ? 'fairness.noShares' : 'fairness.evenly')
  return (
    <Section
      title={t('fairness.shares')}
      text={t('fairness.mode', { mode: t(`services.routingModes.${mode}`), help: t(`services.routingHelp.${mode}`) })}
    >
      <Text size="sm" className="breakable">
        {promise} {next && t('fairness.next', { name: next.name })}
      </Text>
      {providers.length === 0 ? <EmptyState text={t('fairness.nobody')} /> : <Providers fairness={fairness} />}
      {others.length > 0 && (
        <Text size="sm" className="breakable">
          {t('fairness.others', { names: others.map(({ name, id, got }) => `${name || id} (${got})`).join(', ') })}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('fairness.counted')}
      </Text>
    </Section>
  )
}

function Providers({ fairness: { mode, providers } }: { readonly fairness: FairnessReport }) {
  const { t } = useTranslation()
  const { share, number } = useFormats()
  const most = Math.max(1, ...providers.map(({ got, expected }) => Math.max(got, expected ?? 0)))
  const shared = providers.some((one) => one.share !== null)
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${number(value)}`
  return (
    // The table is wider than a phone screen, so its container scrolls horizontally, also by keyboard.
    <Table.ScrollContainer
      minWidth={shared ? 640 : 420}
      type="native"
      tabIndex={0}
      role="group"
      aria-label={t('fairness.shares')}
    >
      <Table aria-label={t('fairness.shares')} className="tabular">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('fairness.provider')}</Table.Th>
            {mode === 'weighted' && <Table.Th ta="end">{t('fairness.weight')}</Table.Th>}
            {mode === 'priority' && <Table.Th ta="end">{t('fairness.priority')}</Table.Th>}
            {shared && <Table.Th ta="end">{t('fairness.share')}</Table.Th>}
            <Table.Th colSpan={2}>{t('fairness.got')}</Table.Th>
            {shared && <Table.Th ta="end">{t('fairness.expected')}</Table.Th>}
            {shared && <Table.Th ta="end">{t('fairness.difference')}</Table.Th>}
            <Table.Th ta="end">{t('fairness.assigned')}</Table.Th>
            {mode === 'weighted' && <Table.Th ta="end">{t('fairness.due')}</Table.Th>}
            <Table.Th>{t('fairness.last')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {providers.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Th scope="row" fw={500} className="breakable">
                {one.name}
              </Table.Th>
              {mode === 'weighted' && <Table.Td ta="end">{one.weight}</Table.Td>}
              {mode === 'priority' && <Table.Td ta="end">{one.priority}</Table.Td>}
              {shared && <Table.Td ta="end">{one.share === null ? '–' : share(one.share)}</Table.Td>}
              <Table.Td ta="end">{one.got}</Table.Td>
              <Table.Td className={styles.bar ?? ''}>
                <Progress value={Math.round((100 * one.got) / most)} aria-label={one.name} />
              </Table.Td>
              {shared && <Table.Td ta="end">{one.expected === null ? '–' : number(one.expected)}</Table.Td>}
              {shared && <Table.Td ta="end">{one.expected === null ? '–' : signed(one.got - one.expected)}</Table.Td>}
              <Table.Td ta="end">{one.assigned}</Table.Td>
              {mode === 'weighted' && <Table.Td ta="end">{one.due === null ? '–' : signed(one.due)}</Table.Td>}
              <Table.Td>
                {one.lastAt === null ? t('fairness.never') : <Timestamp at={one.lastAt} className="unbroken" />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Reasons({ last }: Pick<FairnessReport, 'last'>) {
  const { t } = useTranslation()
  return (
    <Section title={t('fairness.reasons')} text={t('fairness.reasonsText')}>
      {last.length === 0 ? (
        <EmptyState text={t('fairness.noReasons')} />
      ) : (
        <ul className={styles.reasons ?? ''}>
          {last.map(({ id, start, provider, choice }) => (
            <li key={id}>
              <Group gap="xs">
                <Anchor component={PanelLink} to="/reservations" search={{ when: 'all', open: id }} size="sm" fw={500}>
                  <Timestamp at={start} />
                </Anchor>
                <Text size="sm" className="breakable">
                  {provider.name || provider.id}
                </Text>
              </Group>
              {choice ? (
                <RoutingDecision choice={choice} provider={provider} />
              ) : (
                <Text size="sm" c="dimmed">
                  {t('fairness.noReason')}
                </Text>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
