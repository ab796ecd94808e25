import { Button, Chip, Group, Stack, Text } from '@mantine/core'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorAlert } from '../../components/fields/write-form.tsx'
import { EmptyState, LoadingState } from '../../components/states.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useFormats, useZone } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'

/** An available start of a service, with the providers who are free then. */
export type FreeTimeChoice = Item<'GET /calendar/free/'>['times'][number]

interface FreeTimesProps {
  readonly serviceId: string
  /** The provider to book with; undefined for any provider. */
  readonly providerId: number | undefined
  /** The earliest start to offer, in Unix seconds. */
  readonly from: number
  /** The selected start, in Unix seconds; undefined when no start is selected. */
  readonly value: number | undefined
  /** The id of the reservation that is being moved, whose own time counts as free; absent for a booking. */
  readonly except?: string
  readonly onChoose: (time: FreeTimeChoice) => void
}

/** Offers the available times of a service by date, one week at a time. */
export function FreeTimes({ serviceId, providerId, from, value, except, onChoose }: FreeTimesProps) {
  const { t } = useTranslation()
  const { shortDate, dateTime, time: timeText } = useFormats()
  const clock = clockOf(useZone())
  const [shownFrom, setShownFrom] = useState(from)
  // Radio buttons with the same name are one tab stop; arrow keys select among them.
  const name = useId()
  const { data, error, isPlaceholderData } = useFreeTimes({ serviceId, providerId, from: shownFrom, except })
  if (error) return <ErrorAlert error={error} />
  if (!data) return <LoadingState lines={3} />
  const days = [...Map.groupBy(data.times, ({ start }) => clock.dateOf(start))]
  const next = data.next
  const later = next !== null && (
    <Button variant="subtle" size="compact-sm" onClick={() => setShownFrom(Math.max(data.until, next))}>
      {t('calendar.laterTimes')}
    </Button>
  )
  return (
    <Stack gap="xs" role="group" aria-label={t('calendar.freeTimes')} aria-busy={isPlaceholderData}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {t('calendar.freeTimes')}
        </Text>
        <Group gap={4}>
          {shownFrom !== from && (
            <Button variant="subtle" size="compact-sm" onClick={() => setShownFrom(from)}>
              {t('calendar.firstTimes')}
            </Button>
          )}
          {days.length > 0 && later}
        </Group>
      </Group>
      {days.length === 0 &&
        (next === null ? (
          <Text size="sm" c="dimmed">
            {t('calendar.noTimes')}
          </Text>
        ) : (
          <EmptyState text={t('calendar.noTimesThisWeek')}>
            <Button variant="default" onClick={() => setShownFrom(next)}>
              {t('calendar.nextFree', { date: shortDate(next) })}
            </Button>
          </EmptyState>
        ))}
      {days.length > 0 && (
        <Stack gap="xs" mah={240} p={3} style={{ overflowY: 'auto' }}>
          <Chip.Group
            value={value === undefined ? null : String(value)}
            onChange={(start) => {
              const chosen = data.times.find((one) => String(one.start) === start)
              if (chosen) onChoose(chosen)
            }}
          >
            {days.map(([date, times]) => (
              <div key={date}>
                <Text size="xs" c="dimmed" mb={4}>
                  {shortDate(times[0]?.start ?? 0)}
                </Text>
                <Group gap={6}>
                  {times.map(({ start }) => (
                    <Chip
                      key={start}
                      name={name}
                      value={String(start)}
                      size="sm"
                      radius="sm"
                      aria-label={dateTime(start)}
                    >
                      {timeText(start)}
                    </Chip>
                  ))}
                </Group>
              </div>
            ))}
          </Chip.Group>
        </Stack>
      )}
    </Stack>
  )
}

/**
 * Queries the available times of a service in the week from `from` (Unix seconds), for a booking or for the move of the
 * reservation `except`; sends no request while `serviceId` is empty.
 */
export function useFreeTimes(request: {
  readonly serviceId: string
  readonly providerId: number | undefined
  readonly from: number
  readonly except?: string | undefined
}) {
  const { serviceId, providerId, from, except } = request
  const query = { serviceId, from, ...(providerId !== undefined && { providerId }), ...(except && { except }) }
  return useRead('GET /calendar/free/', query, { enabled: serviceId !== '' })
}

/**
 * Returns the available time nearest to an instant (Unix seconds), on the same date; undefined when that date has
 * none.
 */
export function nearestOf(
  times: readonly FreeTimeChoice[],
  at: number,
  dateOf: (at: number) => string,
): FreeTimeChoice | undefined {
  const date = dateOf(at)
  const [nearest] = times
    .filter(({ start }) => dateOf(start) === date)
    .toSorted((one, other) => Math.abs(one.start - at) - Math.abs(other.start - at))
  return nearest
}
