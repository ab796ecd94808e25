import { createHmac, randomBytes } from 'node:crypto'
import { emailKey } from '../../customers/customer.ts'
import { networkOf } from '../../http/network.ts'
import { tooMany, Unavailable } from '../../http/response/errors.ts'
import { message } from '../../messages/message.ts'

/** How often anyone may try to prove who they are before being told to wait. The counters are of this process alone. */
export interface SignInCounters {
  /** Counts an attempt from an address; refuses beyond the limit, and while too many passwords wait to be checked. */
  fromAddress(address: string, now: number): void
  /**
   * Counts an attempt at an account, or one with a browser known to it, which has a counter of its own. Call it once the
   * address has passed. Refuses beyond the limit; `locked` is called when this attempt is the first one refused.
   */
  atAccount(name: AccountName, now: number, locked: () => void): void
  /** The attempt was a good one: it and what was tried at the account before do not count. */
  succeeded(address: string, name: AccountName | undefined): void
}

/** Which counter of an account an attempt is for. */
export interface AccountName {
  readonly email: string
  /** The hash of the device cookie of a browser that is known to the account. */
  readonly deviceHash?: string | undefined
}

const window = 900
// An office signs in from one address; a code has a million values and three are right at a time.
const perAddress = 100
const perAccount = 10

/** Counts attempts for a quarter of an hour from the first. */
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
const mostCounted = 65_535

/**
 * 65,536 counters indexed by an HMAC of the name with a key of this process. Names that share a counter lock together;
 * no counter is ever evicted, so other names cannot reset it, and without the key names that collide cannot be chosen.
 */
class Counters {
  readonly #key = randomBytes(32)
  readonly #counts = new Uint16Array(size)
  readonly #until = new Float64Array(size)

  /** The count with this attempt, and how long to wait where that is beyond the limit. */
  add(name: string, limit: number, now: number): { readonly count: number; readonly wait: number } {
    const at = this.#indexOf(name)
    if ((this.#until[at] ?? 0) <= now) {
      this.#until[at] = now + window
      this.#counts[at] = 0
    }
    const count = Math.min((this.#counts[at] ?? 0) + 1, mostCounted)
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
