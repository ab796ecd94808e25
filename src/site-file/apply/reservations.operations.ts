import type { ProviderRecord } from '../../catalogue/providers/provider.ts'
import { maxAppointmentMinutes, type Service } from '../../catalogue/services/service.ts'
import type { Site } from '../../catalogue/site/site.ts'
import type { Customer } from '../../customers/customer.ts'
import { sameJson } from '../../data.ts'
import type { Tx } from '../../db/perform/app.ts'
import { together } from '../../db/together.ts'
import { message } from '../../messages/message.ts'
import { withoutNoShowFee } from '../../reservations/attendance/attendance.operations.ts'
import { expectedAttendance, readAttendance } from '../../reservations/attendance/attendance.ts'
import { countAssignment } from '../../reservations/booking/assignments.sql.ts'
import { takesRoom, wallClock } from '../../reservations/booking/reservations.operations.ts'
import { movedPrice, priceAt } from '../../reservations/booking/slot-price.ts'
import { firstMeeting, meetingAfter } from '../../reservations/meeting.ts'
import { newRoom } from '../../reservations/meeting-room.operations.ts'
import { releaseSeatsOfAll, seatOwner } from '../../reservations/occupancy.sql.ts'
import {
  linkVersionAfter,
  movesSlot,
  paymentAfter,
  type Reservation,
  reservationChange,
  shownCancelReason,
  shownNote,
  shownReservation,
  standingAlone,
  waitsAfter,
} from '../../reservations/reservation.ts'
import { insertReservation, updateReservation } from '../../reservations/reservations.sql.ts'
import { toInstant } from '../../scheduling/time/zone.ts'
import { type Keyed, listReservationsNamed, updateReservationKey } from '../site-file.sql.ts'
import {
  type AssignedEntry,
  noChanges,
  type ReservationEntry,
  type SiteFileChanges,
  type SiteFileFaults,
} from '../site-file.ts'
import { takeImportedSeats } from './seats.operations.ts'
import { occupiedBy, type PlannedReservation, type SiteState, settingsOf } from './state.operations.ts'

interface Resolved {
  readonly at: number
  readonly entry: ReservationEntry
  readonly service: Service
  readonly provider: ProviderRecord
  readonly customer: Customer
  readonly start: number
}

/**
 * Returns the reservation before and after for each entry of a JSON site file, changed or not, without writing
 * anything. Entries with an unknown service, provider or customer are left out.
 */
export async function planReservations(
  tx: Tx,
  entries: readonly ReservationEntry[],
  world: SiteState,
  faults: SiteFileFaults,
): Promise<PlannedReservation[]> {
  const resolved = entries.flatMap((entry, at) => resolve(entry, at, world, faults) ?? [])
  const find = matcher(
    await listReservationsNamed(tx.db, {
      ids: entries.flatMap(({ id }) => id ?? []),
      keys: entries.flatMap(({ key }) => key ?? []),
      starts: resolved.map(({ start }) => start),
    }),
    entries,
    faults,
  )
  return resolved.map((one) => {
    const found = find(one)
    const { service, provider, at, entry } = one
    const after = reservationAfter(tx, one, found?.row, world.site)
    if (after.end <= after.start || after.end > after.start + maxAppointmentMinutes * 60) {
      faults.set(`reservations[${at}].end`, message('end_minutes_out_of_range'))
    }
    const newKey = found !== undefined && entry.key !== undefined && found.key !== entry.key
    const name = `${service.name} with ${provider.name} for ${one.customer.name} on ${after.localStart}`
    return { at, service, provider, name, before: found?.row, after, key: entry.key, newKey, assigned: entry.assigned }
  })
}

function resolve(entry: ReservationEntry, at: number, world: SiteState, faults: SiteFileFaults): Resolved | undefined {
  const path = `reservations[${at}]`
  const service = world.service(entry.service)
  const provider = world.provider(entry.provider)
  const customer = world.customer(entry.customer)
  if (!service) faults.set(`${path}.service`, message('unknown_service_reference', { reference: entry.service }))
  if (!provider) faults.set(`${path}.provider`, message('unknown_provider_reference', { reference: entry.provider }))
  if (!customer) faults.set(`${path}.customer`, message('unknown_customer_reference', { reference: entry.customer }))
  const start = provider && instantOf(entry.start, provider)
  if (!service || !provider || !customer || start === undefined) return undefined
  return { at, entry, service, provider, customer, start }
}

function instantOf(moment: string | number, { timezone }: ProviderRecord): number | undefined {
  return typeof moment === 'number' ? moment : toInstant(timezone, moment)
}

/**
 * Returns a function that finds the reservation of an entry. An entry with an id is matched by its id only. Any other
 * entry is matched by its key, or else with the first reservation of the same service, provider, customer and start
 * that no earlier entry has matched and no entry identifies by id or key; if the entry has a key, that reservation must
 * have none. Thus each of several entries for seats of one customer in one slot finds a different reservation. An entry
 * that identifies the reservation of an earlier one is added to `faults`.
 */
function matcher(
  known: readonly Keyed<Reservation>[],
  entries: readonly ReservationEntry[],
  faults: SiteFileFaults,
): (one: Resolved) => Keyed<Reservation> | undefined {
  const byId = new Map(known.map((found) => [found.row.id, found]))
  const byKey = new Map(known.flatMap((found) => (found.key === null ? [] : [[found.key, found]])))
  const alike = Map.groupBy(known, ({ row }) => `${row.serviceId} ${row.providerId} ${row.customerId} ${row.start}`)
  const namedBy = ({ id, key = '' }: ReservationEntry) => (id === undefined ? byKey.get(key) : byId.get(id))
  const identified = new Set(entries.flatMap((entry) => namedBy(entry)?.row.id ?? []))
  const meant = new Map<string, number>()
  return ({ at, entry, service, provider, customer, start }) => {
    const keyed = entry.key === undefined ? undefined : byKey.get(entry.key)
    if (entry.id !== undefined && keyed && keyed.row.id !== entry.id) {
      faults.set(`reservations[${at}].key`, message('key_taken', { id: keyed.row.id }))
    }
    const same = alike.get(`${service.id} ${provider.id} ${customer.id} ${start}`) ?? []
    const isFree = ({ row, key }: Keyed<Reservation>) =>
      !meant.has(row.id) && !identified.has(row.id) && (entry.key === undefined || key === null)
    const found = namedBy(entry) ?? (entry.id === undefined ? same.find(isFree) : undefined)
    const first = found && meant.get(found.row.id)
    if (first !== undefined) faults.set(`reservations[${at}]`, message('same_row', { kind: 'reservations', at: first }))
    if (found) meant.set(found.row.id, at)
    return found
  }
}

function reservationAfter(tx: Tx, one: Resolved, before: Reservation | undefined, site: Site): Reservation {
  const { entry, service, provider, customer, start } = one
  const base = before ?? newReservation(entry.id ?? tx.newId('reservation'), tx.now)
  const { status = base.status } = entry
  const stays = before?.serviceId === service.id && before.providerId === provider.id && before.start === start
  // Like an edit, the file resets the attendance of a reservation whose start it changes.
  const hasSameStart = before?.start === start
  const payment = before ? paymentAfter(before, { customerId: customer.id }) : null
  const rule = settingsOf(service, provider)
  const end = entry.end === undefined ? undefined : instantOf(entry.end, provider)
  const wanted: Reservation = {
    ...base,
    serviceId: service.id,
    providerId: provider.id,
    customerId: customer.id,
    start,
    end: end ?? (stays ? before.end : start + rule.duration),
    status,
    attendance: entry.attendance
      ? readAttendance(entry.attendance)
      : hasSameStart
        ? base.attendance
        : expectedAttendance,
    note: entry.note ?? base.note,
    cancelReason: cancelReasonAfter(entry, base),
    ...waitsAfter(base, status),
    data: entry.data ?? base.data,
    ...(before && {
      linkVersion: linkVersionAfter(before, { customerId: customer.id }),
      payment: hasSameStart ? payment : withoutNoShowFee(payment),
    }),
  }
  const meeting = before ? meetingAfter(before, wanted, one, newRoom()) : firstMeeting(wanted, one, newRoom())
  if (before && sameJson(before, wanted)) return before
  const revised = { ...wanted, meeting, updatedAt: tx.now, version: before ? before.version + 1 : 1 }
  if (before && !movesSlot(before, wanted)) return revised
  const price = priceAt({ site }, { rule, provider }, revised)
  return {
    ...revised,
    availabilityId: '',
    assignedBecause: entry.assigned?.because ?? null,
    ...wallClock({ provider }, start),
    ...(before ? movedPrice(service, wanted, price) : price),
  }
}

function cancelReasonAfter(
  { status, cancelReason }: ReservationEntry,
  base: Pick<Reservation, 'status' | 'cancelReason'>,
): string {
  return (status ?? base.status) === 'cancelled' ? (cancelReason ?? base.cancelReason) : ''
}

function newReservation(id: string, now: number): Reservation {
  return {
    id,
    serviceId: '',
    customerId: '',
    providerId: 0,
    availabilityId: '',
    start: 0,
    end: 0,
    status: 'confirmed',
    data: {},
    createdAt: now,
    updatedAt: now,
    price: null,
    currency: null,
    localStart: '',
    zone: '',
    zoneVersion: '',
    assignedBecause: null,
    ...standingAlone,
    version: 1,
  }
}

/**
 * Writes new and changed reservations with the seats that they occupy and with events. Those that have not ended, and
 * for which no seat is free, are added to `faults`.
 */
export async function writeReservations(
  tx: Tx,
  planned: readonly PlannedReservation[],
  world: SiteState,
  faults: SiteFileFaults,
): Promise<SiteFileChanges> {
  const changes = noChanges()
  // The seats of all reservations that move or change status are released before any is taken, so that two reservations
  // can exchange their times.
  const released = await releaseSeatsOfAll(
    tx.db,
    planned.filter(takesOtherSeats).flatMap(({ before }) => (before ? [before.id] : [])),
  )
  for (const one of planned) {
    const { before, after, key, newKey, name, assigned } = one
    const changed = after !== before
    if (!before)
      await together([
        insertReservation(tx.db, after, { key: key ?? null }),
        assigned && countAssigned(tx, one, assigned),
      ])
    else if (changed) await updateReservation(tx.db, after)
    if (newKey && key !== undefined) await updateReservationKey(tx.db, after.id, key)
    if (changed) {
      await tx.append({
        type: before ? reservationChange(before, after) : 'reservation.created',
        objectId: after.id,
        object: loggedReservation(after),
        previous: before ? loggedReservation(before) : null,
      })
    }
    const list = changed || newKey ? changes.changed : changes.left
    ;(before ? list : changes.added).push(name)
  }
  const seated = planned.filter((one) => takesOtherSeats(one) && takesRoom(one.service, one.after))
  const hasEnded = ({ after }: PlannedReservation) => after.end <= tx.now
  // Reservations that have ended come last and take only what is free: the file does not say with which buffers and
  // capacity they were booked, so under present settings they may overlap each other and those that are still to come.
  for (const one of [...seated.filter((each) => !hasEnded(each)), ...seated.filter(hasEnded)]) {
    const owner = seatOwner(one.after, released.get(one.after.id))
    const fault = await takeImportedSeats(tx, one, { rules: occupiedBy(one, world), world, planned, owner })
    if (fault && !hasEnded(one)) faults.set(`reservations[${one.at}]`, fault)
  }
  return changes
}

function countAssigned(tx: Tx, { service, provider }: PlannedReservation, { at }: AssignedEntry): Promise<void> {
  return countAssignment(tx.db, { service: service.id, provider: provider.id, now: at, turn: tx.newOrdinal() })
}

function loggedReservation(one: Reservation) {
  return { ...shownReservation(one, { full: true }), ...shownNote(one), ...shownCancelReason(one) }
}

function takesOtherSeats({ before, after }: PlannedReservation): boolean {
  return !before || before.status !== after.status || movesSlot(before, after)
}
