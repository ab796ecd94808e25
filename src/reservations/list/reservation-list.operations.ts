import type { Viewer } from '../../access/users/user.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Site } from '../../catalogue/site/site.ts'
import { findCustomerIds } from '../../customers/search/search-index.sql.ts'
import { parseSearch } from '../../customers/search/search-terms.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import { maxCounted } from '../../db/query/count-rows.ts'
import { type HistoryEntry, listHistory } from '../../history/history.operations.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { parseDate } from '../../scheduling/time/date.ts'
import { dayStart, localDay } from '../../scheduling/time/zone.ts'
import { unknownReservation } from '../booking/reservations.operations.ts'
import type { Reservation, ReservationStatus } from '../reservation.ts'
import type { ListedTime } from './reservation-filter.ts'
import {
  areCommon,
  countMatching,
  type FoundReservation,
  listMatching,
  matchingQuery,
  type Order,
  type ReservationCriteria,
  toFoundReservation,
} from './reservation-search.sql.ts'

/** A search of reservations; absent fields match everything. */
export interface ReservationSearch {
  /**
   * Text to search for: beginnings of words of the customer's name, e-mail address or phone number, the end of the
   * phone number, or the whole id of a reservation or customer.
   */
  readonly search?: string | undefined
  readonly status?: ReservationStatus | undefined
  readonly serviceId?: string | undefined
  readonly providerId?: number | undefined
  /** The first and the last date of the start (`YYYY-MM-DD`), in the site's time zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly when?: ListedTime | undefined
  readonly sort?: Order | undefined
}

const maxCustomers = 500

/**
 * Returns one page of the matching reservations and the number of matches; a total of 10,001 means more than 10,000.
 */
export function searchReservations(
  db: ReadDatabase,
  search: ReservationSearch,
  asking: Viewer,
  part: { readonly limit: number; readonly offset: number },
) {
  refuseTooDeep(part)
  return db.snapshot(async (read) => {
    const catalogue = await loadCatalogue(read)
    const sought = await soughtBy(read, catalogue, search, asking)
    const items = await listMatching(read, sought, search.sort ?? 'start', part)
    const total = await countMatching(read, sought, maxCounted + 1)
    return { page: items.map((known) => listed(catalogue, known)), total }
  })
}

/** Refuses a page that starts beyond `maxCounted` matches. */
export function refuseTooDeep({ offset }: { readonly offset: number }): void {
  if (offset >= maxCounted)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('list_too_deep'),
      details: {
        page: message('narrow_by_filter'),
      },
    })
}

/** Returns the site's time zone and a stream of all matching reservations, which reads one snapshot. */
export async function exportReservations(db: ReadDatabase, search: ReservationSearch, asking: Viewer) {
  const catalogue = await db.snapshot(loadCatalogue)
  const sought = await soughtBy(db, catalogue, search, asking)
  const rows = db.stream(matchingQuery(db, sought, search.sort ?? 'start'))
  return { zone: catalogue.site.timezone, parts: listedParts() }

  async function* listedParts(): AsyncGenerator<ListedReservation[]> {
    for await (const part of rows) yield part.map((row) => listed(catalogue, toFoundReservation(row)))
  }
}

/**
 * Returns one reservation with the last 100 entries of its history. Refuses an unknown id and, with `ofProvider`, a
 * reservation of another provider.
 */
export async function showReservation(db: ReadDatabase, id: string, { ofProvider }: Viewer) {
  const { catalogue, known } = await db.snapshot(async (read) => ({
    catalogue: await loadCatalogue(read),
    known: (await listMatching(read, { id, providerId: ofProvider }, 'start', { limit: 1, offset: 0 }))[0],
  }))
  if (!known) throw unknownReservation()
  const { reservation } = known
  const { page } = await listHistory(db, { ...anyHistory, objectId: id }, { limit: 100, offset: 0 })
  return {
    ...listed(catalogue, known),
    data: reservation.data,
    form: catalogue.service(reservation.serviceId)?.form ?? [],
    updated: reservation.updatedAt,
    localStart: reservation.localStart,
    zone: reservation.zone,
    attendedAt: reservation.attendance.times,
    note: reservation.note,
    paid: reservation.payment !== null,
    cancelReason: reservation.cancelReason,
    meeting: reservation.meeting,
    expires: reservation.expiresAt,
    choice: choiceOf(catalogue, reservation),
    history: page satisfies HistoryEntry[],
  }
}

const anyHistory = { type: 'reservation', actor: undefined, from: undefined, until: undefined } as const

/** Returns the services and providers by which a list can be filtered; with `ofProvider`, only that provider. */
export async function listFilters(db: ReadDatabase, { ofProvider }: Viewer) {
  const { services, providers } = await db.snapshot(loadCatalogue)
  return {
    services: services.map(({ id, name, settings: { routingMode } }) => ({ id, name, routingMode })),
    providers: providers
      .filter(({ id }) => ofProvider === undefined || id === ofProvider)
      .map(({ id, name, timezone: zone }) => ({ id, name, zone })),
  }
}

/** One reservation of the panel's list. */
export type ListedReservation = ReturnType<typeof listed>

async function soughtBy(
  db: Database,
  { site }: Catalogue,
  search: ReservationSearch,
  { ofProvider, now }: Viewer,
): Promise<ReservationCriteria> {
  const { when, status, serviceId } = search
  const earliest = when === 'upcoming' ? now : when === 'from_today' ? localDay(site.timezone, now).start : 0
  const first = Math.max(midnight(site, search.from, 0) ?? 0, earliest)
  const end = Math.min(midnight(site, search.to, 1) ?? latest, when === 'past' ? now : latest)
  return {
    ...(await soughtReservations(db, search.search)),
    status,
    serviceId,
    ...(ofProvider === undefined
      ? { providerId: search.providerId }
      : // A provider who asks for reservations of another provider finds none: no provider has the id 0.
        { providerId: search.providerId === undefined || search.providerId === ofProvider ? ofProvider : 0 }),
    from: first === 0 ? undefined : first,
    until: end === latest ? undefined : end,
  }
}

const latest = Number.MAX_SAFE_INTEGER

/**
 * Returns the first instant of a date in the site's time zone (Unix seconds), or of the date `later` days after it;
 * undefined when the date is absent or invalid.
 */
export function midnight({ timezone }: Site, date: string | undefined, later: number): number | undefined {
  const day = date === undefined ? undefined : parseDate(date)
  return day === undefined ? undefined : dayStart(timezone, day + later)
}

/**
 * Returns the criteria of a typed search: a reservation id, a customer id, or the customers with words in the name,
 * e-mail address or phone number that begin with the typed words, or with a phone number that ends with the typed
 * digits. Refuses a text that matches more than 500 customers.
 */
export async function soughtReservations(db: Database, text = ''): Promise<ReservationCriteria> {
  if (text === '') return {}
  if (/^r_[0-9A-Za-z]{32}$/.test(text)) return { id: text }
  if (/^c_[0-9A-Za-z]{32}$/.test(text)) return { customerIds: [text] }
  const customerIds = await findCustomerIds(db, await parseSearch(text), maxCustomers + 1)
  if (customerIds.length > maxCustomers)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('reservation_search_too_broad'),
      details: {
        search: message('narrow_reservation_search'),
      },
    })
  return { customerIds, common: await areCommon(db, customerIds) }
}

function listed(catalogue: Catalogue, { reservation, customer }: FoundReservation) {
  const { id, status, start, end, serviceId, providerId, customerId, price, currency, createdAt, attendance } =
    reservation
  return {
    id,
    status,
    start,
    end,
    service: { id: serviceId, name: catalogue.service(serviceId)?.name ?? '' },
    provider: namedProvider(catalogue, providerId),
    customer: { id: customerId, name: '', email: '', phone: '', ...customer },
    price,
    currency,
    created: createdAt,
    attendance: attendance.state,
    awaits: status === 'pending' ? reservation.awaits : null,
  }
}

/** Returns how the provider of a reservation was chosen; null when that was not stored. */
export function choiceOf(catalogue: Catalogue, { assignedBecause }: Reservation) {
  if (!assignedBecause) return null
  const { mode, eligible, picked, because } = assignedBecause
  return {
    mode,
    eligible: eligible.map((id) => namedProvider(catalogue, id)),
    picked: namedProvider(catalogue, picked),
    because,
  }
}

function namedProvider(catalogue: Catalogue, id: number) {
  return { id, name: catalogue.provider(id)?.name ?? '' }
}
