import { Worker } from 'node:worker_threads'
import { type Message, message } from '../../messages/message.ts'
import { WorkQueue } from '../../work-queue.ts'
import { passwordFault } from '../users/user.ts'
import { guessablePasswordFault, type PasswordOwner, personalTermsOf } from './password.ts'

/** Each rating takes a thread of 36 MB for about half a second: two at once, and no more waiting than ten seconds' worth. */
const queue = new WorkQueue({ concurrency: 2, maxWaiting: 20 })

/** Whether so many passwords wait to be rated that another one would wait for too long. */
export function isPasswordRatingBusy(): boolean {
  return queue.isFull
}

/** Why a new password will not do for this person; undefined when it will. */
export async function newPasswordFault(password: string, owner: PasswordOwner): Promise<Message | undefined> {
  const fault = passwordFault(password) ?? guessablePasswordFault(password, owner)
  if (fault !== undefined) return fault
  return (await queue.run(() => strengthOf(password, personalTermsOf(owner)))) < leastStrength
    ? message('password_common')
    : undefined
}

/** On the scale of zxcvbn, 0 to 4: at least 10^8 guesses. */
const leastStrength = 3

/**
 * The strength of a password against a list of common passwords. The list takes 33 MB, so it lives in a thread that ends
 * with the answer: passwords are set rarely, and the service at rest stays within its memory. Settles once the thread has
 * ended, so that the next one does not add to its memory.
 */
function strengthOf(password: string, words: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./password-strength-thread.ts', import.meta.url), {
      workerData: { password, words },
      execArgv: [],
    })
    let strength: number | undefined
    worker.once('message', (score: number) => {
      strength = score
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      if (strength === undefined) reject(new Error('The thread that rates passwords ended without an answer.'))
      else resolve(strength)
    })
  })
}
