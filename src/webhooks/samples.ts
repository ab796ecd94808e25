import { kindOf } from '../history/event.ts'
import type { WebhookEventType } from './event-types.ts'
import type { WebhookPayload } from './payload.ts'

const createdAt = 1_796_116_500
const reservation = {
  id: 'r_0VyJq7CkS3bN8mT2xLw9RzPfHd4GaUeK',
  serviceId: 's_0VyJp2QcXh6vMn1tZk8LrWfBd3SgJyEu',
  customerId: 'c_0VyJp9TaNw5rGx7kPz2CmVhDq4LsBfYj',
  providerId: 1,
  availabilityId: 'tq4p0.Jm2c8Qx7LrVw0ZtN',
  start: 1_796_202_000,
  end: 1_796_203_800,
  status: 'confirmed',
  // A template that relies on a key of `data`, which most reservations do not have, is refused when it is saved.
  data: {},
  created: createdAt,
  updated: createdAt,
}
const customer = {
  id: reservation.customerId,
  name: 'Jo Park',
  email: 'jo@example.com',
  phone: '+49 30 123456',
  host_user: 0,
  timezone: null,
  language: 'de',
}
const service = { id: reservation.serviceId, name: 'Check-up', description: '', color: '#3366cc' }
const provider = { id: 1, name: 'Ana Ruiz', email: 'ana@clinic.example' }
const payment = {
  id: 'p_0VyJq8VnTx4mKb6RzW2LsGfHdC9PaQeJ',
  amount: 4_500,
  currency: 'EUR',
  reservationIds: [reservation.id],
}
const scope = { providerIds: [1], serviceIds: null, from: reservation.start, until: reservation.end }

type State = Readonly<Record<string, unknown>>

const objects: Readonly<Record<string, State>> = {
  reservation,
  customer,
  payment,
  service,
  provider,
  host_user: { id: 7, email: 'jo@example.com', name: 'Jo Park' },
  token: { id: 'tok_0VyJp1', name: 'Our shop', scope: 'write', revokedAt: createdAt },
  availability: scope,
  webhook: { webhookId: 'wh_0VyJpT', description: 'Our shop' },
}

/**
 * Returns an example of the payload of an event, against which templates are validated and which the documentation
 * shows.
 */
export function samplePayload(type: WebhookEventType): WebhookPayload {
  const state = objects[kindOf(type)] ?? {}
  return {
    id: 'evt_0VyJq7CmB5sKx2NwTz8LrGfHd3QaPeUv',
    type,
    seq: '0000000000004711000000',
    objectId: String(state.id ?? state.webhookId ?? 'site'),
    createdAt,
    apiVersion: 'v1',
    data: statesOf(type, state),
  }
}

function statesOf(type: string, state: State): WebhookPayload['data'] {
  if (type === 'reservation.rescheduled')
    return { object: { ...state, start: reservation.start + 3_600, end: reservation.end + 3_600 }, previous: state }
  if (type === 'customer.erased') return { object: null, previous: null }
  if (type === 'payment.card_removed') return { object: { id: payment.id }, previous: null }
  if (type.endsWith('.removed')) return { object: null, previous: state }
  return { object: state, previous: /^payment\.|\.(?:created|changed|test)$/.test(type) ? null : state }
}
