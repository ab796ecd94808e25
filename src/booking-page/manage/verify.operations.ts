import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { approvalAfterNoShows } from '../../reservations/attendance/no-shows.operations.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { lockBookingsOf } from '../../reservations/booking/offer.operations.ts'
import { firstProgress, isDueOnline, lockReservation } from '../../reservations/booking/reservations.operations.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { overridesOf } from '../../scheduling/opening-hours.ts'
import { lockGroup } from './manage.operations.ts'

/**
 * Confirms the e-mail address of a booking. Every reservation that was booked with the same form and still waits for
 * the confirmation becomes confirmed, or waits for payment or approval where one is required. A repeated confirmation
 * changes nothing. Refuses when every reservation of the form has expired or is cancelled.
 */
export const verifyBooking: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  const catalogue = await lockCatalogue(tx)
  const group = await lockGroup(tx, id)
  const booked = group.find((one) => one.id === id) ?? (await lockReservation(tx, id))
  const awaited = group.filter(({ status, awaits }) => status !== 'cancelled' && awaits === 'email')
  if (awaited.length > 1) await lockBookingsOf(tx, catalogue, awaited)
  // The same persons count for every reservation of the form.
  const noShowApproval = await approvalAfterNoShows(tx.db, catalogue.site.policies, booked, tx.now)
  let found = false
  const confirmed: { readonly reservation: Reservation; readonly service: Service; readonly provider: Provider }[] = []
  for (const reservation of group) {
    if (reservation.status === 'cancelled') continue
    const { awaits, expiresAt } = reservation
    const expired = awaits === 'email' && expiresAt !== null && expiresAt <= tx.now
    found ||= !expired
    const service = catalogue.service(reservation.serviceId)
    const provider = catalogue.provider(reservation.providerId)
    if (awaits === 'email' && !expired && service && provider) confirmed.push({ reservation, service, provider })
  }
  const groupPaysOnline = confirmed.some(({ reservation, service }) => isDueOnline(service, reservation.payment))
  for (const { reservation, service, provider } of confirmed) {
    const { approval: ofDate } = overridesOf(provider, catalogue.site.holidays, reservation)
    const rules = { approval: noShowApproval ?? ofDate, payment: reservation.payment, groupPaysOnline }
    const { status, ...awaiting } = firstProgress(service, rules, tx.now)
    await editReservation(tx, { id: reservation.id, status, awaiting })
  }
  if (!found) throw refusal('change_too_late')
  return {}
}
