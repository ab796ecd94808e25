import type { UserRole } from '../access/users/user.ts'
import type { Message } from '../messages/message.ts'
import type { Details, RefusalCode, Refused } from '../messages/refusal.ts'
import { sentence, sentences } from '../messages/sentence.ts'

type RefusalStatus = 400 | 403 | 404 | 409 | 413 | 422

interface RefusalAnswer {
  readonly status: RefusalStatus
  /** The error code that the response contains as `reason`; absent when it equals the code of the refusal. */
  readonly reason?: string
}

/** The HTTP status and the code of the response to each refusal. A refusal code without an entry is a compile error. */
export const refusals: Readonly<Record<RefusalCode, RefusalAnswer>> = {
  invalid_json: { status: 400 },
  invalid_parameter: { status: 400 },
  missing_parameter: { status: 400 },
  nothing_named: { status: 404, reason: 'missing_parameter' },
  body_too_large: { status: 413 },
  set_in_panel: { status: 400 },
  site_file_invalid: { status: 400 },
  user_exists: { status: 409 },
  user_not_found: { status: 404 },
  user_disabled: { status: 409 },
  last_administrator: { status: 403 },
  sign_in_failed: { status: 403 },
  link_invalid: { status: 403 },
  session_not_found: { status: 404 },
  code_wrong: { status: 403 },
  totp_not_begun: { status: 409 },
  second_factor_unavailable: { status: 409 },
  secret_key_missing: { status: 409 },
  passkey_wrong: { status: 403 },
  passkey_not_found: { status: 404 },
  backup_not_here: { status: 409 },
  backup_running: { status: 409 },
  backup_not_found: { status: 404 },
  webhook_not_found: { status: 404 },
  webhook_disabled: { status: 409 },
  webhook_limit: { status: 409 },
  calendar_not_found: { status: 404 },
  calendar_limit: { status: 409 },
  calendar_app_missing: { status: 409 },
  calendar_grant_expired: { status: 409 },
  feed_not_found: { status: 404 },
  feed_limit: { status: 409 },
  delivery_not_found: { status: 404 },
  job_not_found: { status: 404 },
  job_running: { status: 409 },
  job_periodic: { status: 409 },
  template_forbidden: { status: 403 },
  mail_not_configured: { status: 409 },
  sms_not_configured: { status: 409 },
  suppression_not_found: { status: 404 },
  template_invalid: { status: 400 },
  reservation_not_found: { status: 404 },
  service_not_found: { status: 404 },
  customer_not_found: { status: 404 },
  note_not_found: { status: 404 },
  provider_not_found: { status: 404 },
  token_not_found: { status: 404 },
  time_off_not_found: { status: 404 },
  reservations_in_the_way: { status: 409 },
  override_forbidden: { status: 403 },
  refund_forbidden: { status: 403 },
  entry_not_found: { status: 404 },
  not_undoable: { status: 409 },
  changed_since: { status: 409 },
  slot_invalid: { status: 403 },
  slot_stale: { status: 403 },
  service_inactive: { status: 403 },
  customer_blocked: { status: 403 },
  provider_not_eligible: { status: 403 },
  slot_lead_time: { status: 403 },
  slot_horizon: { status: 403 },
  slot_closed: { status: 403 },
  slot_calendar_busy: { status: 403 },
  slot_provider_busy: { status: 403 },
  slot_full: { status: 403 },
  slot_limit: { status: 403 },
  slot_price_changed: { status: 403 },
  hold_limit: { status: 409 },
  hold_expired: { status: 409 },
  change_too_late: { status: 409 },
  booking_link_invalid: { status: 403 },
  proof_missing: { status: 403 },
  booking_link_not_found: { status: 404 },
  reservation_protected: { status: 403 },
  refund_pending: { status: 403 },
  nothing_paid: { status: 409 },
  nothing_due: { status: 409 },
  fee_charging: { status: 409 },
  fee_requested: { status: 409 },
  coupon_invalid: { status: 409 },
  coupon_too_late: { status: 409 },
  payments_open: { status: 409 },
  difference_not_found: { status: 404 },
  receipt_not_found: { status: 404 },
  reservation_active: { status: 403 },
  removal_forbidden: { status: 403 },
  customer_has_reservations: { status: 403 },
  service_has_history: { status: 403 },
  provider_has_reservations: { status: 403 },
  idempotency_in_progress: { status: 409 },
  idempotency_key_reused: { status: 422 },
}

/** The messages of an error as codes with parameters, so that the panel can translate them; not in the public API. */
export interface ErrorMessages {
  readonly error: Message
  readonly details?: Details | undefined
}

interface Localizable {
  readonly messages?: ErrorMessages
}

/** The response body of a refusal. */
export interface ErrorEnvelope extends Localizable {
  readonly status: 'KO'
  readonly code: RefusalStatus
  readonly error: string
  readonly reason: string
  readonly details?: Readonly<Record<string, string>>
}

/** Returns the response body of a refusal; `code` is the HTTP status. */
export function errorEnvelope(refused: Refused): ErrorEnvelope {
  const { status, reason = refused.code } = refusals[refused.code]
  const envelope = { status: 'KO', code: status, error: sentence(refused.message), reason } as const
  return refused.details ? { ...envelope, details: sentences(refused.details) } : envelope
}

export type TokenReason =
  | 'missing_token'
  | 'invalid_token'
  | 'revoked_token'
  | 'expired_token'
  | 'ambiguous_credentials'

/**
 * The reasons for which a request to the API of the panel is unauthenticated: it has no session, or the session has
 * ended.
 */
export type SessionReason = 'no_session' | 'session_ended'

/**
 * The reasons, other than the user's role, for which the API of the panel refuses a request with 403 at authentication.
 */
export type PanelReason = 'cross_site' | 'recent_authentication_required' | 'second_factor_required'

/**
 * Failures outside of the operations, such as those of authentication. `data` contains the fields of the
 * response's `data` other than `status`.
 */
export type RestFailure =
  | { readonly code: 'rest_forbidden'; readonly status: 401; readonly data: { readonly reason: TokenReason } }
  | { readonly code: 'rest_forbidden'; readonly status: 403; readonly data: { readonly requiredScope: string } }
  | { readonly code: 'rest_forbidden'; readonly status: 401; readonly data: { readonly reason: SessionReason } }
  | { readonly code: 'rest_forbidden'; readonly status: 403; readonly data: { readonly reason: PanelReason } }
  | { readonly code: 'rest_forbidden'; readonly status: 403; readonly data: { readonly admits: readonly UserRole[] } }
  | {
      readonly code: 'rest_missing_callback_param'
      readonly status: 400
      readonly data: { readonly params: readonly string[] }
    }
  | {
      readonly code: 'rest_invalid_param'
      readonly status: 400
      readonly data: { readonly params: Readonly<Record<string, string>> }
    }
  | { readonly code: 'rest_no_route'; readonly status: 404 }
  | { readonly code: 'rest_too_many_requests'; readonly status: 429 }
  | { readonly code: 'rest_internal_error'; readonly status: 500; readonly data: { readonly requestId: string } }
  | { readonly code: 'rest_unavailable'; readonly status: 503; readonly data: { readonly requestId: string } }
  | { readonly code: 'rest_bad_request'; readonly status: 400 | 408 | 431 }

/** The response body of a failure outside of the operations, such as one of authentication. */
export interface WpRestError extends Localizable {
  readonly code: RestFailure['code']
  readonly message: string
  readonly data: { readonly status: number } & Readonly<Record<string, unknown>>
}

/** Returns the response body of a failure outside of the operations. */
export function wpRestError(failure: RestFailure, message: Message): WpRestError {
  const more = 'data' in failure ? failure.data : {}
  return { code: failure.code, message: sentence(message), data: { status: failure.status, ...more } }
}
