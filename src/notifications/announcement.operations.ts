import type { Viewer } from '../access/users/user.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { emailKey } from '../customers/customer.ts'
import { isCustomerOf } from '../customers/search/customer-search.sql.ts'
import type { Database, ReadDatabase } from '../db/database.ts'
import type { Money } from '../money.ts'
import { plannedBooking, unknownReservation } from '../reservations/booking/reservations.operations.ts'
import type { Reservation, ReservationStatus } from '../reservations/reservation.ts'
import { findReservation } from '../reservations/reservations.sql.ts'
import { loadAddressed, subjectOf } from './addressed.operations.ts'
import { announcedChange } from './announcement.ts'
import { compose, composeSms } from './mail/compose.ts'
import { notificationsOfChange, propertiesOf, type ReservationState } from './notification.ts'
import { findSuppression, loadSettings } from './notifications.sql.ts'
import { isSmsWanted } from './sms/sms.ts'
import { listSurroundings } from './surroundings.sql.ts'

/**
 * A change that staff are about to make: a change of a reservation, or a new reservation of a service for a customer.
 */
export interface PlannedChange {
  readonly id?: string
  readonly status?: ReservationStatus
  readonly serviceId?: string
  readonly customerId?: string
  readonly providerId?: number
  readonly start?: number
  /**
   * The end of the reservation after the change, in Unix seconds. When absent, an existing reservation retains its
   * duration, and a new one has the duration of its service.
   */
  readonly end?: number
}

/**
 * Composes the message that a planned change would send to the customer: the mail, or the short message (SMS) if no
 * mail would be sent. `message` is null when neither would be sent. Refuses an unknown reservation, and a reservation
 * that the viewer may not see.
 */
export function previewAnnouncement(db: ReadDatabase, planned: PlannedChange, { ofProvider, now }: Viewer) {
  return db.snapshot(async (read) => {
    const { settings } = await loadSettings(read)
    if (!settings.enabled) return { message: null }
    const before = planned.id === undefined ? null : await findOwn(read, planned.id, ofProvider)
    const after = await afterChange(read, before, planned, { ofProvider, now })
    if (!after) return { message: null }
    const surroundings = before
      ? await listSurroundings(read, { objectId: before.id, seq: afterAll })
      : { earlier: [], later: [] }
    const change = announcedChange(
      { before, after, createdAt: now, actor: { kind: 'user', id: '' } },
      surroundings,
      'customer',
    )
    const due =
      change && notificationsOfChange(change, now).find(({ kind }) => propertiesOf(kind).audience === 'customer')
    if (!due) return { message: null }
    const { kind } = due
    const known = change.before?.start
    const previousStart = known !== after.start && kind !== 'confirmed' ? known : undefined
    const of = { kind, state: after, previousStart, settings, logoUrl: '' }
    const mail = settings.disabled.includes(kind) ? undefined : await addressee(read, { ...of, channel: 'email' })
    const sms = isSmsWanted(settings.sms, kind) ? await addressee(read, { ...of, channel: 'sms' }) : undefined
    const found = mail ?? sms
    if (!found) return { message: null }
    const { recipient, source } = found
    const composed = mail ? await compose(source) : { subject: '', text: await composeSms(source) }
    const { name, address } = recipient
    return { message: { kind, name, address, subject: composed.subject, text: composed.text } }
  })
}

/**
 * Composes the mail that would announce a charge of the no-show fee, or a link to pay it, with this amount; null when
 * none would be sent.
 */
export async function previewFeeMessage(
  db: Database,
  state: Reservation,
  { kind, fee }: { readonly kind: 'fee_charged' | 'fee_requested'; readonly fee: Money },
) {
  const { settings } = await loadSettings(db)
  if (!settings.enabled || settings.disabled.includes(kind)) return null
  const of = { kind, state: subjectOf(state), previousStart: undefined, settings, logoUrl: '', fee }
  const found = await addressee(db, { ...of, channel: 'email' })
  if (!found) return null
  const { name, address } = found.recipient
  const { subject, text } = await compose(found.source)
  return { name, address, subject, text }
}

/**
 * Loads the content and the recipient of a message on one channel, as `loadAddressed` does; undefined also when earlier
 * messages to the recipient's address have bounced.
 */
async function addressee(db: Database, of: Parameters<typeof loadAddressed>[1]) {
  const addressed = await loadAddressed(db, of)
  const suppression = addressed && (await findSuppression(db, emailKey(addressed.recipient.address)))
  return suppression?.reason === 'bounced' ? undefined : addressed
}

// A position that sorts after every position of the event log.
const afterAll = '~'

async function findOwn(db: Database, id: string, ofProvider: number | undefined) {
  const found = await findReservation(db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw unknownReservation()
  return found
}

/**
 * Returns the reservation after a planned change; undefined for a new reservation without a start, with an unknown
 * service or provider, or for a customer who has no reservation with the only provider that the viewer may see.
 */
async function afterChange(
  db: Database,
  before: ReservationState | null,
  planned: PlannedChange,
  { ofProvider, now }: Viewer,
): Promise<ReservationState | undefined> {
  if (before) {
    const { start = before.start, end = start + before.end - before.start } = planned
    const { status = before.status, providerId = before.providerId } = planned
    return { ...before, status, providerId, start, end }
  }
  const { serviceId = '', providerId = 0, customerId = '', start } = planned
  const catalogue = await loadCatalogue(db)
  const service = catalogue.service(serviceId)
  const provider = catalogue.provider(providerId)
  if (start === undefined) return undefined
  if (!service || !provider || (ofProvider !== undefined && !(await isCustomerOf(db, customerId, ofProvider))))
    return undefined
  const parties = { catalogue, service, provider }
  const booking = await plannedBooking(db, parties, { start, end: planned.end, now })
  return { id: '', availabilityId: 'new', serviceId, customerId, providerId, start, ...booking }
}
