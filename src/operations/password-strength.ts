import { Worker } from 'node:worker_threads'
import { guessableFault, type PasswordOwner, wordsOf } from '../domain/password.ts'
import { passwordFault } from '../domain/person.ts'

const common = 'This password is among those that are tried first; choose several words, or something longer.'

/** Why a new password will not do for this person, as a sentence; undefined when it will. */
export async function newPasswordFault(password: string, owner: PasswordOwner): Promise<string | undefined> {
  const fault = passwordFault(password) ?? guessableFault(password, owner)
  if (fault !== undefined) return fault
  return (await strengthOf(password, wordsOf(owner))) < leastStrength ? common : undefined
}

/** On the scale of zxcvbn, 0 to 4: at least 10^8 guesses. */
const leastStrength = 3

/**
 * The strength of a password against a list of common passwords. The list takes 33 MB, so it lives in a thread that ends
 * with the answer: passwords are set rarely, and the service at rest stays within its memory.
 */
function strengthOf(password: string, words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./password-strength-thread.ts', import.meta.url), {
      workerData: { password, words },
      execArgv: [],
    })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
