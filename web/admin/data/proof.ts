import type { ErrorEnvelope, WpRestError } from '../../../src/contract/errors.ts'
import { createStore } from './store.ts'

/** Whether the person is asked to confirm who they are: the dialog then stands over the page. */
export const proofAsked = createStore(false)

const waiting: ((confirmed: boolean) => void)[] = []

/** Asks the person to confirm who they are; false when they would not. Requests that wait at once share one dialog. */
export function askForProof(): Promise<boolean> {
  proofAsked.set(true)
  return new Promise((resolve) => waiting.push(resolve))
}

/** Closes the dialog and tells those that wait what it came to. */
export function settleProof(confirmed: boolean): void {
  proofAsked.set(false)
  for (const resolve of waiting.splice(0)) resolve(confirmed)
}

/** Whether a request was refused until the person has confirmed who they are. */
export function needsProof(status: number, body: ErrorEnvelope | WpRestError): boolean {
  return status === 403 && 'data' in body && body.data.reason === 'recent_authentication_required'
}
