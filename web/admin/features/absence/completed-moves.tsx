import { Box, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast, toastError } from '../../components/dialogs/toast.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorMessage } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { PhoneNumber } from './message-summary.tsx'
import type { CompletedMove, Replanning } from './use-replanning.ts'

interface CompletedMovesProps {
  readonly replanning: Replanning
  /** The name of the absent provider. */
  readonly absent: string
  readonly busy: boolean
}

/**
 * Lists the reservations moved and the time off recorded for an absence since the panel was loaded, with buttons to
 * undo them; renders nothing when there are neither.
 */
export function CompletedMoves({ replanning, absent, busy }: CompletedMovesProps) {
  const { t } = useTranslation()
  const { dateTime, time } = useFormats()
  const { moved, timeOffId } = replanning.done
  if (moved.length === 0 && timeOffId === undefined) return null
  const back = async (moves: readonly CompletedMove[]): Promise<void> => {
    const count = await replanning.moveBack(moves)
    if (count > 0) toast(t('absence.movedBack', { count }))
  }
  const undoAll = async (): Promise<void> => {
    // The time off is removed first, so that the provider is free when the reservations are moved back.
    if (timeOffId !== undefined) await replanning.removeTimeOff(timeOffId)
    if (moved.length > 0) await back(moved)
  }
  return (
    <Section
      title={t('absence.doneTitle')}
      text={t('absence.doneText')}
      actions={
        <Button variant="default" disabled={busy} onClick={() => void undoAll().then(undefined, toastError)}>
          {t('absence.undoAll')}
        </Button>
      }
    >
      <Stack component="ul" gap="sm" p={0} m={0}>
        {timeOffId !== undefined && (
          <Group component="li" className="plain" justify="space-between">
            <Text size="sm">{t('absence.recorded', { name: absent })}</Text>
            <Button
              variant="default"
              size="compact-sm"
              disabled={busy}
              aria-label={`${t('common.undo')}: ${t('calendar.timeOff')}`}
              onClick={() => void replanning.removeTimeOff(timeOffId).then(undefined, toastError)}
            >
              {t('common.undo')}
            </Button>
          </Group>
        )}
        {moved.map((one) => {
          const { reservation, to } = one
          const name = reservation.customer.name || t('reservations.removed')
          const failure = replanning.failures.get(reservation.id)
          const shownTime = to.start === reservation.start ? time(to.start) : dateTime(to.start)
          return (
            <Group component="li" key={reservation.id} className="plain" justify="space-between" gap="xs">
              <Box flex="1 1 180px" miw={0} className="breakable">
                <Text size="sm">
                  {name} · {dateTime(reservation.start)} → {t('absence.with', { name: to.provider, time: shownTime })}
                </Text>
                {!one.isTold && (
                  <Group gap="sm">
                    <Checkbox
                      size="xs"
                      label={t('absence.phoned', { name })}
                      checked={replanning.done.phoned.has(reservation.id)}
                      onChange={(event) => replanning.setPhoned(reservation.id, event.currentTarget.checked)}
                    />
                    <PhoneNumber phone={reservation.customer.phone} />
                  </Group>
                )}
                {failure !== undefined && (
                  <Box c="var(--mantine-color-error)" role="alert">
                    <ErrorMessage error={failure} />
                  </Box>
                )}
              </Box>
              <Button
                variant="default"
                size="compact-sm"
                disabled={busy}
                aria-label={`${t('common.undo')}: ${name}`}
                onClick={() => void back([one])}
              >
                {t('common.undo')}
              </Button>
            </Group>
          )
        })}
      </Stack>
    </Section>
  )
}
