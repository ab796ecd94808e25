import { Worker } from 'node:worker_threads'
import { type Message, message } from '../../messages/message.ts'
import { WorkQueue } from '../../work-queue.ts'
import { passwordFault } from '../users/user.ts'
import { guessablePasswordFault, type PasswordOwner, personalTermsOf } from './password.ts'

/**
 * The queue of password ratings of one thread: at most two run at once, since each takes a further thread of 36 MB for
 * half a second. The queue counts as full when 20 wait.
 */
const queue = new WorkQueue({ concurrency: 2, maxWaiting: 20 })

/**
 * Whether the queue of password ratings is full, that is, at least 20 ratings wait. `newPasswordHash` then refuses to
 * rate another password.
 */
export function isPasswordRatingBusy(): boolean {
  return queue.isFull
}

/** Returns the message that states why a new password of a user is not acceptable; undefined when it is acceptable. */
export async function newPasswordFault(password: string, owner: PasswordOwner): Promise<Message | undefined> {
  const fault = passwordFault(password) ?? guessablePasswordFault(password, owner)
  if (fault !== undefined) return fault
  return (await queue.run(() => strengthOf(password, personalTermsOf(owner)))) < minStrength
    ? message('password_common')
    : undefined
}

/** The minimum zxcvbn score of a new password. Scores range from 0 to 4; 3 means at least 10^8 guesses. */
const minStrength = 3

/**
 * Rates a password with zxcvbn and lists of common passwords, and resolves to the score (0 to 4). The rating runs in a
 * thread that loads the lists and then ends: the lists take 33 MB and passwords are rarely set. The promise resolves
 * once the thread has ended, so that the queue limits the memory in use.
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
