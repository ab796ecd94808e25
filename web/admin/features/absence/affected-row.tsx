import { Anchor, Box, Button, Group, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { Trouble } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { ReservationMenu } from '../reservations/move/move-actions.tsx'
import type { StatusChange } from '../reservations/status-change.ts'
import type { Affected, Suggestion } from './use-replanning.ts'

interface AffectedRowProps {
  readonly reservation: Affected
  readonly chosen: Suggestion | undefined
  readonly choose: (to: Suggestion) => void
  readonly accept: (to: Suggestion) => void
  /** Why the last attempt to move it was refused. */
  readonly failure: unknown
  readonly busy: boolean
  readonly change: StatusChange
}

/** One affected reservation with its suggestions. */
export function AffectedRow(props: AffectedRowProps) {
  const { reservation, chosen, choose, accept, failure, busy, change } = props
  const { t } = useTranslation()
  const { dateTime, time } = useFormats()
  const { id, start, customer, service, suggestions } = reservation
  const name = customer.name || t('reservations.removed')
  const option = (to: Suggestion) => ({
    value: keyOf(to),
    label:
      to.start === start
        ? t('absence.with', { name: to.provider, time: time(to.start) })
        : t('absence.with', { name: to.provider, time: dateTime(to.start) }),
  })
  const same = suggestions.filter((to) => to.start === start)
  const others = suggestions.filter((to) => to.start !== start)
  return (
    <Group component="li" gap="xs" justify="space-between" className="plain">
      <Box flex="1 1 180px" miw={0} className="breakable">
        <Anchor component={PanelLink} to="/reservations" search={{ when: 'all', open: id }} size="sm">
          {name}
        </Anchor>{' '}
        <Text size="sm" span className="tabular">
          {dateTime(start)}
        </Text>
        <Text size="xs" c="dimmed" className="breakable">
          {[service.name, reservation.provider.name].filter(Boolean).join(' · ')}
        </Text>
        {failure !== undefined && (
          <Box c="var(--mantine-color-error)" role="alert">
            <Trouble error={failure} />
            {chosen && <Text size="sm">{t('absence.replaced')}</Text>}
          </Box>
        )}
      </Box>
      {chosen ? (
        <>
          <Select
            aria-label={t('absence.suggestion', { name })}
            data={[
              ...(same.length > 0 ? [{ group: t('absence.sameTime'), items: same.map(option) }] : []),
              ...(others.length > 0 ? [{ group: t('absence.otherTimes'), items: others.map(option) }] : []),
            ]}
            value={keyOf(chosen)}
            onChange={(value) => {
              const to = suggestions.find((one) => keyOf(one) === value)
              if (to) choose(to)
            }}
            allowDeselect={false}
            disabled={busy}
            w={{ base: '100%', xs: 'auto' }}
            flex="1 1 18rem"
            maw={{ xs: '26rem' }}
          />
          <Button
            variant="default"
            disabled={busy}
            aria-label={`${t('absence.accept')}: ${name}`}
            onClick={() => accept(chosen)}
          >
            {t('absence.accept')}
          </Button>
        </>
      ) : (
        <Text size="sm" c="dimmed" w={{ base: '100%', xs: 290 }}>
          {t('absence.noSuggestion')}
        </Text>
      )}
      <ReservationMenu reservation={reservation} change={change} />
    </Group>
  )
}

function keyOf({ providerId, start }: Suggestion): string {
  return `${providerId}:${start}`
}
