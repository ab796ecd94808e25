import { createHmac, randomBytes } from 'node:crypto'
import { emailKey } from '../../customers/customer.ts'
import { networkOf } from '../../http/network.ts'
import { tooMany, Unavailable } from '../../http/response/errors.ts'
import { message } from '../../messages/message.ts'

/** Counters that limit attempts to authenticate; each process has its own. */
export interface SignInCounters {
  /** Counts an attempt from an address; refuses beyond the limit, and while too many passwords are queued. */
  fromAddress(address: string, now: number): void
  /**
   * Counts an attempt on an account. A browser that is known to the account has a counter of its own, so that attempts
   * from elsewhere do not lock out the user. Call it after `fromAddress`. Refuses beyond the limit; calls `locked` at
   * the first refusal.
   */
  atAccount(name: AccountName, now: number, locked: () => void): void
  /** Resets the counters of the address and the account after a success. */
  succeeded(address: string, name: AccountName | undefined): void
}

/** Identifies the counter of an account. */
export interface AccountName {
  readonly email: string
  /** The hash of the device cookie of a browser that is known to the account. */
  readonly deviceHash?: string | undefined
}

const window = 900
// Attempts per address and quarter of an hour: enough for an office behind one address, and few compared with the
// million possible authenticator codes.
const perAddress = 100
const perAccount = 10

/** Creates counters whose period is a quarter of an hour from the first attempt. */
export function createSignInCounters(isBusy: () => boolean): SignInCounters {
  const addresses = new Counters()
  const accounts = new Counters()
  const refuse = (wait: number): void => {
    if (wait > 0) throw tooMany(message('too_many_sign_ins'), wait)
  }
  return {
    fromAddress(address, now) {
      refuse(addresses.add(networkOf(address), perAddress, now).wait)
      if (isBusy()) throw new Unavailable('Too many passwords wait to be checked.')
    },
    atAccount(name, now, locked) {
      const { count, wait } = accounts.add(accountName(name), perAccount, now)
      if (count === perAccount + 1) locked()
      refuse(wait)
    },
    succeeded(address, name) {
      addresses.takeBack(networkOf(address))
      if (name) accounts.clear(accountName(name))
    },
  }
}

function accountName({ email, deviceHash = '' }: AccountName): string {
  return `${deviceHash} ${emailKey(email)}`
}

const size = 65_536
const maxCounted = 65_535

/**
 * A fixed table of 65,536 counters, indexed by an HMAC of the name with a random key. Two names may share a counter,
 * but names that share one cannot be found without the key. Counters are never evicted, so other names cannot reset one.
 */
class Counters {
  readonly #key = randomBytes(32)
  readonly #counts = new Uint16Array(size)
  readonly #until = new Float64Array(size)

  /**
   * Returns the count including this attempt and, when the count is beyond the limit, the seconds until the next
   * attempt is allowed.
   */
  add(name: string, limit: number, now: number): { readonly count: number; readonly wait: number } {
    const at = this.#indexOf(name)
    if ((this.#until[at] ?? 0) <= now) {
      this.#until[at] = now + window
      this.#counts[at] = 0
    }
    const count = Math.min((this.#counts[at] ?? 0) + 1, maxCounted)
    this.#counts[at] = count
    return { count, wait: count > limit ? (this.#until[at] ?? 0) - now : 0 }
  }

  takeBack(name: string): void {
    const at = this.#indexOf(name)
    this.#counts[at] = Math.max(0, (this.#counts[at] ?? 0) - 1)
  }

  clear(name: string): void {
    this.#counts[this.#indexOf(name)] = 0
  }

  #indexOf(name: string): number {
    return createHmac('sha256', this.#key).update(name).digest().readUInt16BE(0)
  }
}
