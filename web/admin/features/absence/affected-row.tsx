import { Anchor, Box, Button, Group, Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { ErrorMessage } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { ReservationMenu } from '../reservations/move/move-actions.tsx'
import type { StatusChange } from '../reservations/status-change.ts'
import type { AffectedReservation, SuggestedTime } from './use-replanning.ts'

interface AffectedRowProps {
  readonly reservation: AffectedReservation
  readonly chosen: SuggestedTime | undefined
  readonly choose: (to: SuggestedTime) => void
  readonly accept: (to: SuggestedTime) => void
  /**
   * The error of the reservation in the last series of moves; undefined when that series moved the reservation or did
   * not include it.
   */
  readonly failure: unknown
  readonly busy: boolean
  readonly change: StatusChange
}

/** One reservation that an absence affects, with the free times to which it can move. */
export function AffectedRow(props: AffectedRowProps) {
  const { reservation, chosen, choose, accept, failure, busy, change } = props
  const { t } = useTranslation()
  const { dateTime, time } = useFormats()
  const { id, start, customer, service, suggestions } = reservation
  const name = customer.name || t('reservations.removed')
  const option = (to: SuggestedTime) => ({
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
            <ErrorMessage error={failure} />
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

function keyOf({ providerId, start }: SuggestedTime): string {
  return `${providerId}:${start}`
}
