import type { ErrorEnvelope, WpRestError } from '../../../src/contract/errors.ts'
import { createStore } from './store.ts'

/** Whether the dialog that confirms the user's identity is open. */
export const proofPending = createStore(false)

const waiting: ((confirmed: boolean) => void)[] = []

/**
 * Asks the user to confirm their identity; resolves to false when the user cancels. Concurrent requests share one
 * dialog.
 */
export function requestProof(): Promise<boolean> {
  proofPending.set(true)
  return new Promise((resolve) => waiting.push(resolve))
}

/** Closes the dialog and resolves every pending request for a proof. */
export function resolveProof(confirmed: boolean): void {
  proofPending.set(false)
  for (const resolve of waiting.splice(0)) resolve(confirmed)
}

/** Whether a request was refused for lack of recent authentication. */
export function needsProof(status: number, body: ErrorEnvelope | WpRestError): boolean {
  return status === 403 && 'data' in body && body.data.reason === 'recent_authentication_required'
}
