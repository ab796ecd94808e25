import { type Message, type MessageArguments, type MessageCode, message, type PlainMessageCode } from './message.ts'

/** The codes of refusals (see `Refusal`). `src/contract/errors.ts` assigns each code the status of its response. */
export type RefusalCode =
  | 'invalid_json'
  | 'invalid_parameter'
  | 'missing_parameter'
  | 'nothing_named'
  | 'body_too_large'
  | 'set_in_panel'
  | 'reservation_not_found'
  | 'service_not_found'
  | 'customer_not_found'
  | 'note_not_found'
  | 'provider_not_found'
  | 'token_not_found'
  | 'time_off_not_found'
  | 'reservations_in_the_way'
  | 'override_forbidden'
  | 'refund_forbidden'
  | 'entry_not_found'
  | 'not_undoable'
  | 'changed_since'
  | SlotRefusal
  | 'slot_price_changed'
  | 'hold_limit'
  | 'hold_expired'
  | 'change_too_late'
  | 'booking_link_invalid'
  | 'proof_missing'
  | 'booking_link_not_found'
  | 'reservation_protected'
  | 'refund_pending'
  | 'nothing_paid'
  | 'nothing_due'
  | 'fee_charging'
  | 'fee_requested'
  | 'coupon_invalid'
  | 'coupon_too_late'
  | 'payments_open'
  | 'difference_not_found'
  | 'receipt_not_found'
  | 'reservation_active'
  | 'removal_forbidden'
  | 'customer_has_reservations'
  | 'service_has_history'
  | 'provider_has_reservations'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'site_file_invalid'
  | 'user_exists'
  | 'user_not_found'
  | 'user_disabled'
  | 'last_administrator'
  | 'sign_in_failed'
  | 'link_invalid'
  | 'session_not_found'
  | 'code_wrong'
  | 'totp_not_begun'
  | 'second_factor_unavailable'
  | 'secret_key_missing'
  | 'passkey_wrong'
  | 'passkey_not_found'
  | 'backup_not_here'
  | 'backup_running'
  | 'backup_not_found'
  | 'webhook_not_found'
  | 'webhook_disabled'
  | 'webhook_limit'
  | 'calendar_not_found'
  | 'calendar_limit'
  | 'calendar_app_missing'
  | 'calendar_grant_expired'
  | 'feed_not_found'
  | 'feed_limit'
  | 'delivery_not_found'
  | 'job_not_found'
  | 'job_running'
  | 'job_periodic'
  | 'template_forbidden'
  | 'mail_not_configured'
  | 'sms_not_configured'
  | 'suppression_not_found'
  | 'template_invalid'

/**
 * The codes for why a slot can neither be booked nor be reserved for an open booking form. A scheduling rule that does
 * not allow a slot returns one of them, and the refusal of the request has the same code.
 */
export type SlotRefusal =
  | 'slot_invalid'
  | 'slot_stale'
  | 'service_inactive'
  | 'customer_blocked'
  | 'provider_not_eligible'
  | 'slot_lead_time'
  | 'slot_horizon'
  | 'slot_closed'
  | 'slot_calendar_busy'
  | 'slot_provider_busy'
  | 'slot_full'
  | 'slot_limit'

/** The messages about invalid fields, by field. */
export type Details = Readonly<Record<string, Message>>

/**
 * A refusal as plain data, which is sent between threads, stored for a repeated request, and rendered by `src/http/`.
 */
export interface Refused {
  readonly code: RefusalCode
  /** The message to the user, with the cause and, where there is one, the remedy. */
  readonly message: Message
  /** The messages about invalid fields; absent when no field is at fault. */
  readonly details?: Details
  /**
   * Set when the refusal of a slot stays correct whatever is booked afterwards, so that it may be repeated without a
   * new check (see `TakenSlots`).
   */
  readonly lasting?: true
}

/**
 * Thrown to refuse a request, for example by operations, whose refusals `perform` converts to plain data. It is not an
 * `Error`, because capturing a stack trace takes a twentieth of the time of a refused request.
 */
export class Refusal {
  readonly name = 'Refusal'
  readonly refused: Refused

  constructor(refused: Refused) {
    this.refused = refused
  }
}

/** Returns a refusal with this code and with the message of the same code. */
export function refusal<Code extends RefusalCode & MessageCode>(
  code: Code,
  ...parameters: MessageArguments<Code>
): Refusal {
  return new Refusal({ code, message: message(code, ...parameters) })
}

/** Returns a refusal with this code, whose message is also the message about the invalid field. */
export function fieldRefusal(field: string, code: RefusalCode & PlainMessageCode): Refusal {
  const message: Message = { code }
  return new Refusal({ code, message, details: { [field]: message } })
}

/** Returns the refusal of invalid input, with a message for each field. */
export function wrongFields(details: Details): Refusal {
  const names = Object.keys(details)
  return new Refusal({ code: 'invalid_parameter', message: message('invalid_parameter', { names }), details })
}
