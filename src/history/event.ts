/** Who caused a change. */
export interface Actor {
  readonly kind: 'token' | 'command' | 'worker' | 'user' | 'customer'
  readonly id: string
}

export type EventType =
  | 'reservation.created'
  | 'reservation.updated'
  | 'reservation.pending'
  | 'reservation.confirmed'
  | 'reservation.cancelled'
  | 'reservation.restored'
  | 'reservation.removed'
  | 'reservation.zone_changed'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.removed'
  | 'customer.merged'
  | 'customer.erased'
  | 'customer_note.created'
  | 'customer_note.removed'
  | 'service.created'
  | 'service.updated'
  | 'service.removed'
  | 'provider.created'
  | 'provider.updated'
  | 'provider.removed'
  | 'time_off.created'
  | 'time_off.updated'
  | 'time_off.removed'
  | 'host_user.created'
  | 'token.created'
  | 'token.revoked'
  | 'site.updated'
  | 'site.secret_rotated'
  | 'user.created'
  | 'user.updated'
  | 'user.removed'
  | 'user.invited'
  | 'user.password_set'
  | 'user.second_factor_changed'
  | 'user.signed_in'
  | 'user.signed_out'

/** Who signed in and out, which administrators alone may read. */
export const signInEvents = ['user.signed_in', 'user.signed_out'] as const satisfies readonly EventType[]

/** One change as an operation tells it; who, when and where in the order are added when it is appended. */
export interface Change {
  readonly type: EventType
  /** The id of what changed, as text. */
  readonly objectId: string
  /** What it is now; null when removed. */
  readonly object: Readonly<Record<string, unknown>> | null
  /** What it was; null when new. */
  readonly previous: Readonly<Record<string, unknown>> | null
  /** The id of the entry of the log that this undid. */
  readonly undid?: string
}

/** One entry of the log, as the feed shows it. `seq` sorts as text in the order of the log. */
export interface LoggedEvent extends Change {
  readonly id: string
  readonly seq: string
  readonly createdAt: number
  readonly actor: Actor
}

type EventKind = EventType extends `${infer Kind}.${string}` ? Kind : never

/** What events are about: the first word of every type. */
export const eventKinds: readonly EventKind[] = [
  'reservation',
  'customer',
  'customer_note',
  'service',
  'provider',
  'time_off',
  'host_user',
  'token',
  'site',
  'user',
]
