import { Accordion, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../components/states.tsx'
import { useAddress } from '../../data/address.ts'
import { useWall, type Wall } from '../../data/dates/wall.ts'
import type { Item } from '../../data/request.ts'
import { say } from '../../i18n/index.ts'
import { SettingLink, Verdicts } from './verdicts.tsx'

type Day = Item<'GET /why/'>

interface ExplainDayProps {
  readonly serviceId: string
  readonly providerId: number
  readonly day: Day
  /** Whether the shown data belongs to the previous query, while the current one is loading. */
  readonly busy: boolean
}

/** The grid of one day, one line per start with its verdict, expandable to the verdict of every rule. */
export function ExplainDay({ serviceId, providerId, day, busy }: ExplainDayProps) {
  const { t } = useTranslation()
  const wall = useWall(day.zone)
  const [address, change] = useAddress()
  const about = { serviceId, providerId, date: day.date }
  const { starts, hours } = day
  return (
    <Stack gap="sm" aria-busy={busy}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" role="status">
          {starts.length > 0 &&
            t('why.count', { count: starts.length, free: starts.filter(({ bookable }) => bookable).length })}
        </Text>
        <Text size="sm" c="dimmed">
          {t('why.zone', { zone: day.zone })}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {hours.windows.length > 0
          ? t('why.open', { hours: hours.windows.map((window) => wall.span(window)).join(', ') })
          : t('why.closed')}{' '}
        <SettingLink setting={hours.setting} about={about} />
      </Text>
      {starts.length === 0 ? (
        <Paper>
          <EmptyState text={t(hours.windows.length > 0 ? 'why.tooShort' : 'why.noHours')} />
        </Paper>
      ) : (
        <Accordion
          variant="contained"
          order={2}
          value={address.open || null}
          onChange={(open) => change({ open: open ?? '' })}
        >
          {starts.map((start) => (
            <Accordion.Item key={start.start} value={String(start.start)}>
              <Accordion.Control>
                <Start of={start} wall={wall} />
              </Accordion.Control>
              <Accordion.Panel>
                {address.open === String(start.start) && <Verdicts rules={start.rules} about={about} wall={wall} />}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Stack>
  )
}

function Start({ of, wall }: { readonly of: Day['starts'][number]; readonly wall: Wall }) {
  const { t } = useTranslation()
  const against = of.rules.find(({ ok }) => !ok)
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" fw={500} className="tabular">
        {wall.span(of)}
      </Text>
      <Badge color={against ? 'red' : 'teal'} miw="fit-content">
        {against ? t(`why.against.${against.rule}`) : t('why.bookable')}
      </Badge>
      {against && (
        <Text size="sm" c="dimmed" truncate visibleFrom="sm">
          {say(against.message)}
        </Text>
      )}
    </Group>
  )
}
