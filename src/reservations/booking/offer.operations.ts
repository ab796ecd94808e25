import { type Parties, slotPlan, wholePlan } from '../../availability/slot-plan.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { handles } from '../../catalogue/providers/provider.ts'
import type { EffectiveSettings, Service } from '../../catalogue/services/service.ts'
import { blocked, type Customer } from '../../customers/customer.ts'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/perform/app.ts'
import { together } from '../../db/together.ts'
import { Refusal, refusal, type SlotRefusal } from '../../messages/refusal.ts'
import { lowestFreeSeats, slotKey } from '../../scheduling/plan/occupancy.ts'
import type { CustomerLoad, Offer, Plan, RequestedSlot } from '../../scheduling/plan/plan.ts'
import { overflowResource, providerResource, resourceLock } from '../../scheduling/plan/resource.ts'
import {
  type DoubledSeat,
  type OverrideIntent,
  type OverrideOffer,
  offerWithOverride,
  roomWithOverride,
} from '../../scheduling/rule-override.ts'
import { customerRefusal, type NoOffer, offeredSlot, roomFor } from '../../scheduling/slots.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { deleteExpiredHolds, listSeats, type Seat, type SeatOwner, takeSeats } from '../occupancy.sql.ts'
import type { Reservation } from '../reservation.ts'
import { listBookedOfCustomer } from '../reservations.sql.ts'

/**
 * Takes the locks for bookings of these services and providers by these customers: on the customers, the time of every
 * provider that a booking occupies, every service with `limits.perServiceDay`, and the keys in `others`.
 */
export async function lockBooking(
  tx: Tx,
  customerIds: readonly string[],
  parties: readonly Pick<Parties, 'catalogue' | 'service' | 'provider'>[],
  others: readonly string[] = [],
): Promise<void> {
  const keys = new Set([...customerIds.map((id) => `customer:${id}`), ...others])
  for (const { catalogue, service, provider } of parties) {
    for (const id of occupiedProviders(catalogue, service, provider.id)) keys.add(resourceLock(providerResource(id)))
    if (service.settings.limits.perServiceDay !== undefined) keys.add(`service:${service.id}`)
  }
  await tx.lock([...keys])
}

/**
 * Takes the locks for changes of several reservations that change neither their slots nor their customers, in one call
 * before the first change: the changes one after another would take them in an order in which two transactions can wait
 * for each other. The caller must have locked the reservations.
 */
export async function lockBookingsOf(
  tx: Tx,
  catalogue: Catalogue,
  reservations: readonly Pick<Reservation, 'customerId' | 'serviceId' | 'providerId'>[],
): Promise<void> {
  await lockBooking(
    tx,
    reservations.map(({ customerId }) => customerId),
    reservations.flatMap((reservation) => findParties(catalogue, reservation) ?? []),
  )
}

/** Returns the service and the provider of a slot; undefined when one of them was removed. */
export function findParties(
  catalogue: Catalogue,
  { serviceId, providerId }: Pick<RequestedSlot, 'serviceId' | 'providerId'>,
): Parties | undefined {
  const service = catalogue.service(serviceId)
  const provider = catalogue.provider(providerId)
  return service && provider && { catalogue, service, provider }
}

/** The parameters of `findOffer`, which checks whether a slot can be booked. */
interface OfferRequest {
  readonly wanted: RequestedSlot
  /**
   * The customer whose limits apply; absent when seats are reserved for an open booking form, before the customer is
   * known.
   */
  readonly customer?: Customer
  /** The id of the reservation that is moved or restored, whose seats are treated as free. */
  readonly except?: string
  /**
   * The instant from which minimum notice and booking horizon are measured (Unix seconds), such as when the slot was
   * reserved for an open booking form; the current time when absent.
   */
  readonly at?: number
  /** What `slotPlan` returned for the slot; loaded when absent. */
  readonly plan?: Plan
}

/**
 * Checks a slot against current data. Returns an offer, which contains the slot and the providers that a reservation of
 * it occupies, or the reason why the slot cannot be booked.
 */
export async function findOffer(tx: Tx, parties: Parties, request: OfferRequest): Promise<Offer | NoOffer> {
  const { wanted, customer, except, at = tx.now } = request
  const [plan, load] = await together([
    request.plan ?? slotPlan(tx.db, parties, { wanted, now: tx.now, ...(except !== undefined && { except }) }),
    customer && customerLoad(tx.db, parties, { ...request, customer }),
  ])
  return offeredSlot(plan, wanted, at, load)
}

/**
 * Checks a slot for a customer against current data and returns an offer, which contains the slot and the providers
 * that a reservation of it occupies. Throws a refusal when a rule forbids the booking.
 */
export async function requireOffer(
  tx: Tx,
  parties: Parties,
  request: OfferRequest & { readonly customer: Customer },
): Promise<Offer> {
  const offer = await findOffer(tx, parties, request)
  if ('no' in offer) {
    const lasting = staysTaken(parties.service, offer.no)
    throw new Refusal({ code: offer.no, message: offer.message, ...(lasting && { lasting }) })
  }
  return offer
}

/**
 * Checks a slot for staff. Returns an offer, which contains the slot and the providers that a reservation of it
 * occupies, and the rules that the booking breaks. Throws the refusal of a rule that cannot be overridden, or that only
 * a double booking can override when `doubleBook` is not set.
 */
export async function requireOfferWithOverride(
  tx: Tx,
  parties: Parties,
  asked: { readonly wanted: RequestedSlot; readonly customer: Customer; readonly except?: string } & OverrideIntent,
): Promise<OverrideOffer> {
  const { wanted, except, doubleBook } = asked
  const plan = await wholePlan(tx.db, parties, { wanted, now: tx.now, ...(except !== undefined && { except }) })
  const offered = offerWithOverride(plan, wanted, tx.now, await customerLoad(tx.db, parties, asked), { doubleBook })
  if ('no' in offered) throw new Refusal({ code: offered.no, message: offered.message })
  return offered
}

// Whether the refusal of a slot stays correct while nothing but bookings is committed. It does when the slot is full or
// the provider is busy: bookings free no seats, and no rule that takes precedence over occupancy and capacity depends
// on bookings. In a collective service (with several providers together), however, another booking may occupy a further
// provider and so change the reason.
function staysTaken({ settings }: Service, no: SlotRefusal): boolean {
  return settings.routingMode !== 'collective' && (no === 'slot_full' || no === 'slot_provider_busy')
}

/**
 * Returns an offer, from which seats can be taken, for the slot of an existing reservation that has no seat. Checks
 * only time off, blocked times of calendars, occupancy and capacity, and refuses when one of these rules does not allow
 * a seat.
 */
export async function requireRoom(tx: Tx, parties: Parties, wanted: RequestedSlot, except: string): Promise<Offer> {
  // The reservation may be longer than the service by now, so the time until its own end is read.
  const offer = roomFor(await wholePlan(tx.db, parties, { wanted, now: tx.now, except }), wanted, tx.now)
  if ('no' in offer) throw new Refusal({ code: offer.no, message: offer.message })
  return offer
}

/**
 * Returns an offer, from which seats can be taken, for the slot of an existing reservation, with the rules that it
 * breaks. Only time off, blocked times of calendars, occupancy and capacity are checked. A broken rule of occupancy or
 * capacity is refused unless `doubleBook` is set and a double booking is possible.
 */
export async function requireRoomWithOverride(
  tx: Tx,
  parties: Parties,
  asked: { readonly wanted: RequestedSlot; readonly except: string } & OverrideIntent,
): Promise<OverrideOffer> {
  const { wanted, except, doubleBook } = asked
  const plan = await wholePlan(tx.db, parties, { wanted, now: tx.now, except })
  const offered = roomWithOverride(plan, wanted, tx.now, { doubleBook })
  if ('no' in offered) throw new Refusal({ code: offered.no, message: offered.message })
  return offered
}

/** Refuses a customer who is blocked, or who has reached the service's limit of reservations per customer and day. */
export async function requireCustomerAllowed(
  tx: Tx,
  parties: Parties,
  asked: { readonly wanted: RequestedSlot; readonly customer: Customer; readonly except: string },
): Promise<void> {
  const { wanted } = asked
  const no = customerRefusal(parties.service, parties.provider, wanted, await customerLoad(tx.db, parties, asked))
  if (no) throw new Refusal({ code: no.no, message: no.message })
}

/**
 * Takes a seat of the offered slot at every provider that it occupies; refuses when one has none left. A deliberate
 * double booking takes a seat above the capacity or on the provider's overflow resource, which holds only double
 * bookings.
 */
export async function occupy(tx: Tx, owner: SeatOwner, offer: Offer, doubled?: DoubledSeat): Promise<void> {
  await takeSeats(tx.db, await requireFreeSeats(tx, owner, offer, doubled))
}

/** Returns the seats that `occupy` takes, without taking them; refuses when a provider has none left. */
export async function requireFreeSeats(
  tx: Tx,
  owner: SeatOwner,
  offer: Offer,
  doubled?: DoubledSeat,
): Promise<readonly Seat[]> {
  const seats = await findFreeSeats(tx, owner, offer, { count: 1, doubled })
  if (!seats) throw refusal('slot_full')
  return seats
}

/**
 * Returns `count` free seats of the offered slot at every provider that it occupies, to be taken by `takeSeats`;
 * undefined when fewer are free. With `doubled`, the capacity is not checked. Deletes the expired seats in the way.
 */
export async function findFreeSeats(
  tx: Tx,
  owner: SeatOwner,
  offer: Offer,
  { count, doubled }: { readonly count: number; readonly doubled?: DoubledSeat | undefined },
): Promise<readonly Seat[] | undefined> {
  const { start, end, serviceId } = offer.slot
  const overflow = doubled === 'overflow'
  const slot = slotKey(serviceId, start, end)
  const resourceOf = overflow ? overflowResource : providerResource
  const resources = offer.occupies.map(({ providerId }) => resourceOf(providerId))
  const [, taken] = await together([
    clearExpiredHolds(tx, offer.occupies, offer.slot),
    listSeats(tx.db, resources, slot),
  ])
  const wanted: Seat[] = []
  for (const { providerId, capacity, bufferBefore, bufferAfter } of offer.occupies) {
    const seats = taken.get(resourceOf(providerId)) ?? []
    if (seats.length + count > capacity && !doubled) return undefined
    const time = seats[0]?.time ?? { start: start - bufferBefore, end: end + bufferAfter }
    const free = lowestFreeSeats(
      seats.map((one) => one.seat),
      count,
    )
    for (const seat of free) wanted.push({ id: tx.newId('occupancy'), owner, providerId, overflow, slot, seat, time })
  }
  return wanted
}

/**
 * Deletes the expired seats that overlap an appointment with its buffers: seats of pending reservations, and those
 * reserved for open booking forms. Seats on overflow resources are not deleted. `rules` are the settings of the
 * providers that the appointment occupies.
 */
export function clearExpiredHolds(
  tx: Tx,
  rules: readonly EffectiveSettings[],
  { start, end }: Interval,
): Promise<void> {
  const before = Math.max(...rules.map((rule) => rule.bufferBefore))
  const after = Math.max(...rules.map((rule) => rule.bufferAfter))
  const providerIds = rules.map((rule) => rule.providerId)
  return deleteExpiredHolds(tx.db, { providerIds, time: { start: start - before, end: end + after }, now: tx.now })
}

function occupiedProviders(catalogue: Catalogue, service: Service, providerId: number): number[] {
  if (service.settings.routingMode !== 'collective') return [providerId]
  const together = catalogue.providers
    .filter((provider) => handles(provider, service.id))
    .map((provider) => provider.id)
  return together.includes(providerId) ? together : [...together, providerId]
}

// The local day of a slot, for which reservations of the customer are counted, lies within 36 hours of the slot's
// start.
const dayAround = 36 * 3_600

/**
 * Loads what the rules about a customer depend on: whether the customer is blocked and, for a service with a limit per
 * customer and day, the customer's reservations of the service near the slot.
 */
export async function customerLoad(
  db: Database,
  { service }: Parties,
  {
    wanted,
    customer,
    except = '',
  }: { readonly wanted: RequestedSlot; readonly customer: Customer; readonly except?: string },
): Promise<CustomerLoad> {
  const limited = service.settings.limits.perCustomerDay !== undefined
  const booked = limited
    ? await listBookedOfCustomer(db, {
        customer: customer.id,
        service: service.id,
        from: wanted.start - dayAround,
        until: wanted.start + dayAround,
        except,
      })
    : []
  return { id: customer.id, blocked: customer.status === blocked, booked }
}
