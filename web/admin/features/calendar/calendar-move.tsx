import { Button, Group, Modal, Select, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateTimeField } from '../../components/fields/date-field.tsx'
import { CancelButton, Problem } from '../../components/fields/write-form.tsx'
import { clockOf } from '../../data/dates/clock.ts'
import { useFormats, useZone } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { BrokenRules } from '../reservations/broken-rules.tsx'
import { OverrideDialog } from '../reservations/override-dialog.tsx'
import type { ColumnReservation, ColumnService } from './grid/columns.ts'
import type { Destination, Move, RefusedMove } from './use-move.ts'

interface MoveRefusedProps {
  readonly refused: RefusedMove
  readonly move: Move
  readonly services: readonly ColumnService[]
}

/** Explains why a move was refused; roles that may override rules can repeat the move with a reason. */
export function MoveRefused({ refused: { reservation, to, notify, error }, move, services }: MoveRefusedProps) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { id, customer, serviceId } = reservation
  const { providerId, start, end, resized } = to
  return (
    <OverrideDialog
      title={t('calendar.staysTitle')}
      text={t(resized ? 'calendar.staysShort' : 'calendar.stays', {
        customer: customer || t('reservations.removed'),
        service: services.find((one) => one.id === serviceId)?.name ?? '',
        time: dateTime(resized ? end : start),
      })}
      query={{ id, providerId, start, ...(resized && { end }) }}
      error={error}
      submitText={t('calendar.moveAnyway')}
      pending={move.moving !== undefined}
      override={(reason) => void move.drop(reservation, to, { reason, notify })}
      close={move.forget}
    />
  )
}

interface MoveDialogProps {
  readonly reservation: ColumnReservation
  readonly close: () => void
  readonly move: (to: Destination) => void
}

/** Moves a reservation through form fields, for touch screens and screen readers. */
export function MoveDialog({ reservation, close, move }: MoveDialogProps) {
  const { t } = useTranslation()
  const zone = useZone()
  const clock = clockOf(zone)
  const { data } = useRead('GET /reservations/filters/', {})
  const { id, customer } = reservation
  const [providerId, setProviderId] = useState(reservation.providerId)
  const [from, setFrom] = useState(clock.text(reservation.start))
  const [until, setUntil] = useState('')
  const start = clock.parse(from)
  const chosenEnd = clock.parse(until)
  const [asksEnd, asksStart] = [chosenEnd, start ?? reservation.start]
  const verdict = useRead(
    'GET /calendar/verdict/',
    { id, providerId, start: asksStart, ...(asksEnd !== undefined && { end: asksEnd }) },
    { when: start !== undefined },
  )
  const end = chosenEnd ?? verdict.data?.end
  const go = (): void => {
    if (start === undefined || end === undefined) return
    close()
    move({ providerId, start, end, resized: chosenEnd !== undefined })
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
          go()
        }}
      >
        <Stack gap="sm">
          <Select
            label={t('reservations.provider')}
            data={data?.providers.map(({ id: value, name }) => ({ value: String(value), label: name })) ?? []}
            value={String(providerId)}
            onChange={(value) => value !== null && setProviderId(Number(value))}
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
          {verdict.error ? (
            <Problem error={verdict.error} />
          ) : (
            verdict.data && <BrokenRules broken={verdict.data.broken} fits={t('calendar.fits')} />
          )}
          <Group justify="flex-end" gap="xs">
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
