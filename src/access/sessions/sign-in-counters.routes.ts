import { createHmac, randomBytes } from 'node:crypto'
import { emailKey } from '../../customers/customer.ts'
import { networkOf } from '../../http/network.ts'
import { tooMany, Unavailable } from '../../http/response/errors.ts'
import { message } from '../../messages/message.ts'

/** Counters that limit attempts to authenticate; each thread that answers requests has its own. */
export interface SignInCounters {
  /**
   * Counts an attempt from an IP address, or from the /64 network of an IPv6 address. Throws a 429 refusal beyond the
   * limit, and `Unavailable` while the queue of password hashes is full.
   */
  fromAddress(address: string, now: number): void
  /**
   * Counts an attempt on an account; throws a 429 refusal beyond the limit, and calls `locked` before the first such
   * refusal in a quarter of an hour. A browser that is known to the account has a separate counter, so that attempts
   * from elsewhere do not lock out the user. Callers call `fromAddress` first, so that an address beyond its limit
   * cannot add to the counter of an account.
   */
  atAccount(name: AccountName, now: number, locked: () => void): void
  /**
   * Takes back an attempt with the correct password and no second factor from the counter of its address. It is no
   * guess, and people who share an address would lock it by signing in. The counter of the account still includes it.
   */
  passwordAlone(address: string): void
  /** Takes back an attempt from the counter of its address, and resets the counter of its account. */
  succeeded(address: string, name: AccountName | undefined): void
}

/** The account whose attempts a counter counts, separately for each browser that is known to the account. */
export interface AccountName {
  readonly email: string
  /**
   * The hash of the device cookie of a browser that is known to the account; `password-reset` for requests to mail a
   * password link, which have a separate counter; undefined for any other browser.
   */
  readonly deviceHash?: string | undefined
}

const window = 900
// The maximum number of attempts per address in a quarter of an hour: enough for an office behind one address, and few
// compared with the million possible authenticator codes.
const perAddress = 100
const perAccount = 10

/**
 * Creates counters that start anew a quarter of an hour after the first attempt; `isBusy` returns whether the queue of
 * password hashes is full.
 */
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
    passwordAlone(address) {
      addresses.takeBack(networkOf(address))
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
 * A fixed table of 65,536 counters, indexed by an HMAC of the name (an address or an account) with a random key. Names
 * may collide, but colliding names cannot be found without the key. Counters are not evicted, so failed attempts on any
 * number of other names cannot reset a counter.
 */
class Counters {
  readonly #key = randomBytes(32)
  readonly #counts = new Uint16Array(size)
  readonly #until = new Float64Array(size)

  /**
   * Counts an attempt on a name. Returns the count including this attempt and, when the count is beyond the limit, the
   * seconds until the next attempt is allowed; 0 otherwise.
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
