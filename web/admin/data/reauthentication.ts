import type { ErrorEnvelope, WpRestError } from '../../../src/contract/errors.ts'
import { createStore } from './store.ts'

/** Whether the dialog that confirms the user's identity is open. */
export const reauthenticationPending = createStore(false)

const waiting: ((confirmed: boolean) => void)[] = []

/**
 * Opens the dialog in which users confirm their identity. Resolves to true when the user has confirmed, and to false
 * when the user cancels. Concurrent requests share one dialog.
 */
export function requestReauthentication(): Promise<boolean> {
  reauthenticationPending.set(true)
  return new Promise((resolve) => waiting.push(resolve))
}

/**
 * Closes the dialog that confirms the user's identity, and resolves every promise that `requestReauthentication`
 * returned.
 */
export function resolveReauthentication(confirmed: boolean): void {
  reauthenticationPending.set(false)
  for (const resolve of waiting.splice(0)) resolve(confirmed)
}

/** Whether a request was refused for lack of recent authentication. */
export function needsReauthentication(status: number, body: ErrorEnvelope | WpRestError): boolean {
  return status === 403 && 'data' in body && body.data.reason === 'recent_authentication_required'
}
