import { Button, Group, Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { DateTimeField } from '../../../components/fields/date-field.tsx'
import { ReportedChanges } from '../../../components/fields/forms-in-dialog.ts'
import { CancelButton, ErrorAlert, focusUnreadable } from '../../../components/fields/write-form.tsx'
import { clockOf } from '../../../data/dates/clock.ts'
import { useFormats, useZone } from '../../../data/dates/formats.ts'
import { useRead } from '../../../data/queries.ts'
import { BrokenRules } from '../broken-rules.tsx'
import { FreeTimes } from '../free-times.tsx'
import { OverrideDialog } from '../override-dialog.tsx'
import type { Move, MoveReservation, MoveTarget, RefusedMove } from './use-move.ts'

interface MoveRefusedProps {
  readonly refused: RefusedMove
  readonly move: Move
  /** The name of the reservation's service. */
  readonly service: string
}

/** Explains why a move was refused; roles that may override rules can repeat the move with a reason. */
export function MoveRefused({ refused: { reservation, to, from, notify, error }, move, service }: MoveRefusedProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { id, customer } = reservation
  const { providerId, start, end, resized } = to
  return (
    <OverrideDialog
      title={t('calendar.staysTitle')}
      text={t(resized ? 'calendar.staysShort' : 'calendar.stays', {
        customer: customer || t('reservations.removed'),
        service,
        time: dateTime(resized ? end : start),
      })}
      query={{ id, providerId, start, ...(resized && { end }) }}
      error={error}
      submitText={t('calendar.moveAnyway')}
      pending={move.moving !== undefined}
      override={(override) => void move.drop(reservation, to, { ...override, from, notify })}
      close={move.dismiss}
    />
  )
}

const anyProvider = 'any'

interface MoveDialogProps {
  readonly reservation: MoveReservation
  readonly close: () => void
  /** Called with the reservation as it was when the dialog opened. */
  readonly move: (seen: MoveReservation, to: MoveTarget) => void
}

/** The dialog that moves a reservation to a free time of its service, or to any time typed. */
export function MoveDialog({ reservation: current, close, move }: MoveDialogProps) {
  const { t } = useTranslation()
  const zone = useZone()
  const clock = clockOf(zone)
  const { data } = useRead('GET /why/choices/', {})
  // The fields are filled once. A change by another user must not pass for what they were filled with.
  const [reservation] = useState(current)
  const { id, customer, serviceId } = reservation
  const [providerId, setProviderId] = useState(reservation.providerId)
  // Whether the times of all providers are offered; the selected time then determines the provider.
  const [anyone, setAnyone] = useState(false)
  const offering = (data?.providers ?? []).filter(
    (one) => one.serviceIds.includes(serviceId) || one.id === reservation.providerId,
  )
  const withName = anyone ? (offering.find((one) => one.id === providerId)?.name ?? '') : ''
  const initialFrom = clock.text(reservation.start)
  const [from, setFrom] = useState(initialFrom)
  const [until, setUntil] = useState('')
  const start = clock.parse(from)
  const chosenEnd = clock.parse(until)
  const [asksEnd, asksStart] = [chosenEnd, start ?? reservation.start]
  const verdict = useRead(
    'GET /calendar/verdict/',
    { id, providerId, start: asksStart, ...(asksEnd !== undefined && { end: asksEnd }) },
    { enabled: start !== undefined },
  )
  // Until the verdict of another start arrives, the length of the reservation determines the end: the end of the
  // previous verdict may be before the start.
  const likelyEnd = start === undefined ? undefined : start + reservation.end - reservation.start
  const end = chosenEnd ?? (verdict.isPlaceholderData ? likelyEnd : verdict.data?.end)
  const hasChanges = (): boolean =>
    anyone || providerId !== reservation.providerId || from !== initialFrom || until !== ''
  const go = (): void => {
    if (start === undefined || end === undefined) return
    close()
    move(reservation, { providerId, start, end, resized: chosenEnd !== undefined })
  }
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('calendar.moveTitle', { customer: customer || t('reservations.removed') })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!focusUnreadable(event.currentTarget)) go()
        }}
      >
        <ReportedChanges hasChanges={hasChanges} />
        <Stack gap="sm">
          <Select
            label={t('reservations.provider')}
            data={[
              ...(offering.length > 1 ? [{ value: anyProvider, label: t('calendar.anyone') }] : []),
              ...offering.map(({ id: value, name }) => ({ value: String(value), label: name })),
            ]}
            value={anyone ? anyProvider : String(providerId)}
            onChange={(value) => {
              setAnyone(value === anyProvider)
              if (value !== null && value !== anyProvider) setProviderId(Number(value))
            }}
            allowDeselect={false}
            searchable
            limit={100}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <DateTimeField label={`${t('calendar.start')} (${zone})`} value={from} onChange={setFrom} data-autofocus />
            <DateTimeField
              label={t('calendar.end')}
              value={until || (end === undefined ? '' : clock.text(end))}
              onChange={setUntil}
            />
          </SimpleGrid>
          <FreeTimes
            key={anyone ? anyProvider : providerId}
            serviceId={serviceId}
            providerId={anyone ? undefined : providerId}
            from={0}
            value={start}
            except={id}
            onChoose={(time) => {
              setFrom(clock.text(time.start))
              // When the times of all providers are offered, the selected provider remains selected if free at the
              // chosen time. Otherwise, the first free provider is selected.
              if (anyone && !time.providerIds.includes(providerId)) setProviderId(time.providerIds[0] ?? providerId)
              setUntil('')
            }}
          />
          {withName !== '' && <Text size="sm">{t('calendar.movesTo', { name: withName })}</Text>}
          {verdict.error ? (
            <ErrorAlert error={verdict.error} />
          ) : (
            verdict.data &&
            !verdict.isPlaceholderData && <BrokenRules broken={verdict.data.broken} fits={t('calendar.fits')} />
          )}
          <Group justify="flex-end" gap="xs" className="form-actions">
            <CancelButton onClick={close} />
            <Button type="submit" disabled={start === undefined || end === undefined}>
              {t('calendar.move')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
