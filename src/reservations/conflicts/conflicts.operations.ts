import { setImmediate } from 'node:timers/promises'
import { loadPlan } from '../../availability/plan.sql.ts'
import { wholePlan } from '../../availability/slot-plan.operations.ts'
import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { mergeSettings, type SettingsChange } from '../../catalogue/services/service-settings.ts'
import type { Holiday } from '../../catalogue/site/site.ts'
import { namesOfCustomers } from '../../customers/customers.sql.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { bookingIndexOf } from '../../scheduling/plan/booking-index.ts'
import type { Plan } from '../../scheduling/plan/plan.ts'
import { type ConflictRule, conflictsOf } from '../../scheduling/reservation-conflicts.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { lockOwnReservation } from '../booking/reservations.operations.ts'
import { shownReservation } from '../reservation.ts'
import { deleteKept, type Examined, insertKept, keptSlot, listExamined, listExaminedInSlot } from './conflicts.sql.ts'

/** A change of the site's holidays, of a service, or of both, that is not saved yet. */
export interface UnsavedChange {
  readonly holidays?: readonly Holiday[]
  readonly service?: { readonly id: string } & SettingsChange
}

/** The parameters of `findConflicts`, which lists upcoming reservations that break rules. */
export interface ConflictQuery {
  readonly now: number
  /** The only provider that the user may see; undefined when the user may see all providers. */
  readonly ofProvider: number | undefined
  /** An unsaved change; when present, only the conflicts that it would cause are returned. */
  readonly change?: UnsavedChange
}

// The number of reservations in a batch, the number of examined reservations after which no further batch is read, and
// the maximum number of listed conflicts.
const batch = 400
const maxExamined = 20_000
const maxListed = 200

interface Found {
  readonly one: Examined
  readonly rules: readonly ConflictRule[]
}

/**
 * Returns the upcoming reservations that break scheduling rules, ordered by start. With `query.change`, returns instead
 * those that would break further rules after the unsaved change. A rule does not count if staff overrode it in the
 * booking or accepted its violation later. The result contains the first 200 reservations, the number of all that were
 * found (`total`), and whether `maxExamined` ended the search (`more`). Reservations are examined in batches, each in
 * its own snapshot, so that other requests run between batches.
 */
export async function findConflicts(db: ReadDatabase, query: ConflictQuery) {
  const found: Found[] = []
  let examined = 0
  let after = { start: query.now, id: '~' }
  let more = false
  for (;;) {
    const { rows, full } = await db.snapshot(async (read) => {
      const listed = await listExamined(read, { ...after, most: batch, provider: query.ofProvider })
      const whole = listed.length < batch ? listed : withWholeSlots(listed)
      if (whole.length > 0) found.push(...(await conflictsAmong(read, whole, query)))
      return { rows: whole, full: listed.length === batch }
    })
    examined += rows.length
    const last = rows.at(-1)
    if (!last || !full) break
    more = examined >= maxExamined
    if (more) break
    after = { start: last.start, id: last.id }
    await setImmediate()
  }
  return { total: found.length, more, items: await shown(db, found.slice(0, maxListed), query.change) }
}

/**
 * Removes the reservations with the latest start from a full batch. The reservations of one slot are examined together,
 * and the next batch may contain more of that slot. Returns the batch unchanged when all its reservations have the same
 * start.
 */
function withWholeSlots(rows: readonly Examined[]): readonly Examined[] {
  const last = rows.at(-1)?.start
  const whole = rows.filter(({ start }) => start !== last)
  return whole.length > 0 ? whole : rows
}

async function conflictsAmong(db: Database, rows: readonly Examined[], query: ConflictQuery): Promise<Found[]> {
  const { now, change } = query
  const catalogue = await loadCatalogue(db)
  const ids = new Set(rows.map(({ serviceId }) => serviceId))
  const services = catalogue.services.filter(({ id }) => ids.has(id))
  const from = rows[0]?.start ?? now
  const until = Math.max(from, ...rows.map(({ end }) => end)) + 1
  const plan = await loadPlan(db, { catalogue, services, from, until, now, bucket: 0, uncounted: true })
  const index = bookingIndexOf(plan)
  const changed = change && planAfter(plan, catalogue, change)
  const bySlot = Map.groupBy(rows, slotOf)
  return rows.flatMap((one) => {
    const moment = { now, doubled: doubledBeside(one, bySlot.get(slotOf(one)) ?? []) }
    const before = conflictsOf(plan, index, one, moment)
    const broken = changed ? conflictsOf(changed, index, one, moment).filter((rule) => !before.includes(rule)) : before
    const rules = broken.filter((rule) => !one.kept.includes(rule) && !one.overridden.includes(rule))
    return rules.length === 0 ? [] : [{ one, rules }]
  })
}

/** Returns how many other reservations of a slot were booked above its capacity. */
function doubledBeside({ id }: Examined, inSlot: readonly Examined[]): number {
  return inSlot.filter((other) => other.id !== id && other.overridden.includes('capacity')).length
}

function slotOf({ serviceId, providerId, start, end }: Examined): string {
  return `${serviceId} ${providerId} ${start} ${end}`
}

function planAfter(plan: Plan, { site }: Catalogue, { holidays = site.holidays, service }: UnsavedChange): Plan {
  const { id, ...settings } = service ?? { id: undefined }
  const services = plan.services.map((one) =>
    one.id === id ? { ...one, settings: mergeSettings(one.settings, settings) } : one,
  )
  return { ...plan, holidays, services }
}

async function shown(db: ReadDatabase, found: readonly Found[], change: UnsavedChange | undefined) {
  const catalogue = await loadCatalogue(db)
  const holidays = change?.holidays ?? catalogue.site.holidays
  const holidayOf = ({ one, rules }: Found): string | null => {
    if (!rules.includes('opening_hours')) return null
    const zone = catalogue.provider(one.providerId)?.timezone ?? catalogue.site.timezone
    const date = dateAt(zone, one.start)
    const holiday = holidays.find(({ from, to }) => from <= date && date <= to)
    return holiday ? (holiday.name ?? '') : null
  }
  const customers = await namesOfCustomers(
    db,
    found.map(({ one }) => one.customerId),
  )
  return found.map((each) => {
    const { one, rules } = each
    return {
      ...{ id: one.id, status: one.status, start: one.start, end: one.end, rules, holiday: holidayOf(each) },
      customer: { id: one.customerId, name: customers.get(one.customerId) ?? '' },
      service: { id: one.serviceId, name: catalogue.service(one.serviceId)?.name ?? '' },
      provider: { id: one.providerId, name: catalogue.provider(one.providerId)?.name ?? '' },
    }
  })
}

/** The input of `keepConflict`: a decision of staff about a reservation that breaks rules. */
export interface KeepConflict {
  readonly id: string
  /** True to keep the reservation, false to revoke that decision. */
  readonly kept: boolean
  /** The broken rules that the user saw and accepts; all that the reservation breaks when absent. */
  readonly rules?: readonly ConflictRule[]
  /**
   * Restricts the request to reservations of this provider; the reservation of another provider is refused as unknown.
   */
  readonly ofProvider?: number
}

/**
 * Stores the decision to keep a reservation despite the rules that it breaks now, or deletes that decision. Refuses
 * when the reservation also breaks a rule that is neither in `input.rules` nor decided already. Stores nothing if it
 * breaks none of the rules to accept, or if its service or provider was removed.
 */
export const keepConflict: Operation<KeepConflict, Record<string, never>> = async (tx, input) => {
  const catalogue = await lockCatalogue(tx)
  const reservation = await lockOwnReservation(tx, input)
  const { id } = reservation
  const state = shownReservation(reservation, { full: true })
  if (!input.kept) {
    await deleteKept(tx.db, id)
    return {}
  }
  const service = catalogue.service(reservation.serviceId)
  const provider = catalogue.provider(reservation.providerId)
  if (!service || !provider) return {}
  const plan = await wholePlan(tx.db, { catalogue, service, provider }, { wanted: reservation, now: tx.now })
  const inSlot = await listExaminedInSlot(tx.db, reservation)
  const one = inSlot.find((other) => other.id === id)
  if (!one) return {}
  const moment = { now: tx.now, doubled: doubledBeside(one, inSlot) }
  const broken = conflictsOf(plan, bookingIndexOf(plan), one, moment).filter((rule) => !one.overridden.includes(rule))
  const undecided = broken.filter((rule) => !one.kept.includes(rule))
  if (undecided.length === 0) return {}
  const { rules: accepted = undecided } = input
  const unseen = undecided.filter((rule) => !accepted.includes(rule))
  if (unseen.length > 0) throw refusal('changed_since', { fields: unseen })
  await insertKept(tx.db, { id, slot: keptSlot(reservation), rules: broken, by: tx.actor.id }, tx.now)
  await tx.append({
    type: 'reservation.updated',
    objectId: id,
    object: { ...state, keptDespite: broken },
    previous: state,
  })
  return {}
}
