import { Accordion, Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../components/states.tsx'
import { useZonedFormats, type ZonedFormats } from '../../data/dates/zoned-formats.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import type { Item } from '../../data/request.ts'
import { translateMessage } from '../../i18n/index.ts'
import { SettingLink, Verdicts } from './verdicts.tsx'

type Day = Item<'GET /why/'>

interface ExplainDayProps {
  readonly serviceId: string
  readonly providerId: number
  readonly day: Day
  /** Whether `day` still belongs to the previous query, since the response to the current one has not arrived. */
  readonly busy: boolean
}

/**
 * Lists the start times of a service on one day, each with the first rule that forbids it, if any. A line expands to a
 * list of all rules, which states whether each permits the start time.
 */
export function ExplainDay({ serviceId, providerId, day, busy }: ExplainDayProps) {
  const { t } = useTranslation()
  const formats = useZonedFormats(day.zone)
  const [parameters, change] = useQueryParameters()
  const about = { serviceId, providerId, date: day.date }
  const { starts, hours } = day
  const refusals = starts
    .map(({ rules }) => rules.find(({ ok }) => !ok))
    .map((rule) => rule && translateMessage(rule.message))
  // A reason that holds for the whole day is stated once.
  const [common] = new Set(refusals).size === 1 ? refusals : []
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
          ? t('why.open', { hours: hours.windows.map((window) => formats.span(window)).join(', ') })
          : t('why.closed')}{' '}
        <SettingLink setting={hours.setting} about={about} />
      </Text>
      {common && (
        <Alert color="red" role="status">
          {common}
        </Alert>
      )}
      {starts.length === 0 ? (
        <Paper>
          <EmptyState text={t(hours.windows.length > 0 ? 'why.tooShort' : 'why.noHours')} />
        </Paper>
      ) : (
        <Accordion
          variant="contained"
          order={2}
          value={parameters.open || null}
          onChange={(open) => change({ open: open ?? '' })}
        >
          {starts.map((start) => (
            <Accordion.Item key={start.start} value={String(start.start)}>
              <Accordion.Control>
                <Start of={start} formats={formats} isReasonShown={common === undefined} />
              </Accordion.Control>
              <Accordion.Panel>
                {parameters.open === String(start.start) && (
                  <Verdicts rules={start.rules} about={about} formats={formats} />
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </Stack>
  )
}

interface StartProps {
  readonly of: Day['starts'][number]
  readonly formats: ZonedFormats
  readonly isReasonShown: boolean
}

function Start({ of, formats, isReasonShown }: StartProps) {
  const { t } = useTranslation()
  const against = of.rules.find(({ ok }) => !ok)
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" fw={500} className="tabular">
        {formats.span(of)}
      </Text>
      <Badge color={against ? 'red' : 'teal'} miw="fit-content">
        {against ? t(`why.against.${against.rule}`) : t('why.bookable')}
      </Badge>
      {against && isReasonShown && (
        <Text size="sm" c="dimmed" truncate visibleFrom="sm">
          {translateMessage(against.message)}
        </Text>
      )}
    </Group>
  )
}
