import { setImmediate } from 'node:timers/promises'
import { loadPlan } from '../../availability/plan.sql.ts'
import { resolvedEnd } from '../../availability/slot-plan.operations.ts'
import { lockCatalogue, requireProvider } from '../../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Provider } from '../../catalogue/providers/provider.ts'
import { effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { listTimeOff } from '../../catalogue/time-off/time-off.sql.ts'
import { emailKey } from '../../customers/customer.ts'
import { type Contact, listContacts } from '../../customers/customers.sql.ts'
import { listSuppressionsOf } from '../../customers/erasure/exported.sql.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { slotsOf } from '../../scheduling/listing/slot-list.ts'
import type { Plan, Slot } from '../../scheduling/plan/plan.ts'
import { planReach } from '../../scheduling/plan/reach.ts'
import { openSlots } from '../../scheduling/slots.ts'
import { contains, overlaps } from '../../scheduling/time/interval.ts'
import { editReservation } from '../booking/edit.operations.ts'
import { lockReservation, requireAsSeen } from '../booking/reservations.operations.ts'
import { usualEnd } from '../booking/staff.operations.ts'
import type { EditResult } from '../reservation.ts'
import { type AffectedRow, listAffected } from './replanning.sql.ts'
import { hasEnoughTimes, type Room, type Suggester, type Suggestion, suggesterFor } from './suggestions.ts'

/** A provider and the period [from, until) of the provider's absence (Unix seconds), of at most `maxPeriod`. */
export interface ReplanQuery {
  readonly providerId: number
  readonly from: number
  readonly until: number
}

const dayLong = 86_400
// The maximum absence: 31 days, and one hour for a change to winter time.
const maxDays = 31
const maxPeriod = maxDays * dayLong + 3_600
// The maximum number of affected reservations that are listed, and the number of days after the original date of a
// reservation that are searched for other times.
const maxPlanned = 100
const maxDaysAhead = 14

/**
 * Lists at most 100 upcoming reservations that a provider's absence affects, each with suggested times from the
 * available slots, and the provider's time off during the absence. The minimum notice is waived, because the customers
 * already have appointments. Each day of a service is read in its own snapshot, so that other requests run between the
 * reads.
 */
export async function planAbsence(db: ReadDatabase, query: ReplanQuery, now: number) {
  const absence = { providerId: query.providerId, start: query.from, end: query.until }
  requireFitting(query)
  const { rows, catalogue, timeOff } = await db.snapshot(async (read) => {
    const known = await loadCatalogue(read)
    requireProvider(known, query.providerId)
    return {
      catalogue: known,
      rows: await listAffected(read, query, { now, most: maxPlanned + 1 }),
      timeOff: await listTimeOff(read, query),
    }
  })
  const suggester = suggesterFor(absence, (serviceId, providerId) => roomOf(catalogue, serviceId, providerId))
  const listSlots = dayReader(db, catalogue, now)
  const items = []
  for (const row of rows.slice(0, maxPlanned))
    items.push({ row, suggestions: await suggestionsFor(row, { catalogue, suggester, listSlots, now }) })
  return {
    timeOff: timeOff.map(({ id, start, end }) => ({ id, start, end })),
    more: rows.length > maxPlanned,
    items: await shown(db, catalogue, items),
  }
}

function requireFitting({ from, until }: ReplanQuery): void {
  if (until > from && until - from <= maxPeriod) return
  throw new Refusal({
    code: 'invalid_parameter',
    message: message('period_invalid'),
    details: { until: message('period_end_out_of_range', { days: maxDays }) },
  })
}

function roomOf(catalogue: Catalogue, serviceId: string, providerId: number): Room | undefined {
  const service = catalogue.service(serviceId)
  const provider = catalogue.provider(providerId)
  return service && provider && effectiveSettings(service, providerId, provider.services.get(serviceId))
}

interface Search {
  readonly catalogue: Catalogue
  readonly suggester: Suggester
  /** Lists the slots of a UTC day to which a reservation can move; its own time counts as free. */
  readonly listSlots: (row: AffectedRow, day: number) => Promise<readonly Slot[]>
  readonly now: number
}

async function suggestionsFor(row: AffectedRow, { catalogue, suggester, listSlots, now }: Search) {
  const service = catalogue.service(row.serviceId)
  const provider = catalogue.provider(row.providerId)
  // Available slots have the usual length, so none is suggested for a reservation of another length.
  if (!service || !provider || resolvedEnd({ service, provider }, row.start) !== row.end) return []
  const first = Math.floor(row.start / dayLong)
  const slots: Slot[] = []
  let found: readonly Suggestion[] = []
  for (let day = first; day <= first + maxDaysAhead; day += 1) {
    slots.push(...(await listSlots(row, day)).filter(({ start }) => start > now))
    found = suggester.suggest(row, slots)
    if (hasEnoughTimes(found, row)) break
  }
  const [best] = found
  if (best) suggester.take(row, best)
  return found
}

/**
 * Returns a function that lists the slots of a UTC day. A day on which the reservation itself may block slots is read
 * for this reservation alone; the slots of any other day of a service are read once and cached.
 */
function dayReader(db: ReadDatabase, catalogue: Catalogue, now: number): Search['listSlots'] {
  const days = new Map<string, readonly Slot[]>()
  return async (row, day) => {
    const { serviceId } = row
    const except = mayBlock(catalogue, row, day) ? row.id : undefined
    const key = `${serviceId} ${day}`
    const known = except === undefined ? days.get(key) : undefined
    if (known) return known
    await setImmediate()
    const listed = await db.snapshot((read) => slotsOfDay(read, { serviceId, day, now, except }))
    if (except === undefined) days.set(key, listed)
    return listed
  }
}

/** Whether the time of a reservation, or a limit that counts it, may block slots that start on a UTC day. */
function mayBlock(catalogue: Catalogue, { serviceId, providerId, start, end }: AffectedRow, day: number): boolean {
  const [from, until] = [day * dayLong, (day + 1) * dayLong]
  const { services, providers } = catalogue
  const own = services.filter(({ id }) => id === serviceId)
  const { occupied, booked, counts } = planReach({ services: own, providers, from, until })
  const { bufferBefore, bufferAfter } = roomOf(catalogue, serviceId, providerId) ?? { bufferBefore: 0, bufferAfter: 0 }
  const time = { start: start - bufferBefore, end: end + bufferAfter }
  return overlaps(time, occupied) || (counts && contains(booked, start))
}

async function slotsOfDay(
  db: Database,
  {
    serviceId,
    day,
    now,
    except,
  }: {
    readonly serviceId: string
    readonly day: number
    readonly now: number
    readonly except: string | undefined
  },
): Promise<readonly Slot[]> {
  const catalogue = await loadCatalogue(db)
  const service = catalogue.service(serviceId)
  if (!service) return []
  const [from, until] = [day * dayLong, (day + 1) * dayLong]
  const plan = await loadPlan(db, { catalogue, services: [service], from, until, now, bucket: 0, except })
  return slotsOf(openSlots(withoutNotice(plan), { from, until, now }))
}

/**
 * Returns the plan, the data by which slots are decided, with a minimum notice of zero for all services and providers.
 */
function withoutNotice(plan: Plan): Plan {
  const ofService = (service: Service): Service => ({
    ...service,
    settings: { ...service.settings, leadTimeMinutes: 0 },
  })
  const ofProvider = (provider: Provider): Provider => ({
    ...provider,
    services: new Map([...provider.services].map(([id, own]) => [id, { ...own, leadTimeMinutes: 0 }])),
  })
  return { ...plan, services: plan.services.map(ofService), providers: plan.providers.map(ofProvider) }
}

interface Planned {
  readonly row: AffectedRow
  readonly suggestions: readonly Suggestion[]
}

async function shown(db: ReadDatabase, catalogue: Catalogue, planned: readonly Planned[]) {
  const customers = await listContacts(
    db,
    planned.map(({ row }) => row.customerId),
  )
  const suppressions = await listSuppressionsOf(
    db,
    [...customers.values()].map(({ email }) => email),
  )
  const bounced = new Set(suppressions.flatMap(({ address, reason }) => (reason === 'bounced' ? [address] : [])))
  return planned.map(({ row, suggestions }) => ({
    ...{ id: row.id, status: row.status, start: row.start, end: row.end },
    customer: contactOf(row.customerId, customers.get(row.customerId), bounced),
    service: { id: row.serviceId, name: catalogue.service(row.serviceId)?.name ?? '' },
    provider: { id: row.providerId, name: catalogue.provider(row.providerId)?.name ?? '' },
    suggestions: suggestions.map(({ providerId, start, end }) => ({
      ...{ providerId, start, end },
      provider: catalogue.provider(providerId)?.name ?? '',
    })),
  }))
}

function contactOf(id: string, contact: Contact | undefined, bounced: ReadonlySet<string>) {
  const { name = '', phone = '', email = '' } = contact ?? {}
  return { id, name, phone, hasEmail: email !== '' && !bounced.has(emailKey(email)) }
}

/** The provider and the start (Unix seconds) of a reservation. */
interface Place {
  readonly providerId: number
  readonly start: number
}

/** The input of `replanReservation`: the move of a reservation of an absent provider. */
export interface ReplanReservation {
  readonly id: string
  /** The provider and the start that the user saw; refused when the reservation was moved or cancelled since. */
  readonly from: Place
  readonly to: Place
  /** Whether the customer is notified of the move; true when absent. */
  readonly notify?: boolean
}

/**
 * Moves a reservation to a suggested time. All rules but the minimum notice are checked against current data, so a time
 * that was taken in the meantime is refused.
 */
export const replanReservation: Operation<ReplanReservation, EditResult> = async (tx, input) => {
  const { id, from, to, notify } = input
  const catalogue = await lockCatalogue(tx)
  const before = await lockReservation(tx, id)
  if (before.status === 'cancelled') throw refusal('changed_since', { fields: ['status'] })
  requireAsSeen(before, from)
  return editReservation(tx, {
    ...{ id, ...to, end: usualEnd(catalogue, before, to) },
    waivesNotice: to.start > tx.now,
    ...(notify !== undefined && { notify }),
  })
}
