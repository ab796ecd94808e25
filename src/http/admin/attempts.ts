import { emailKey } from '../../domain/customer.ts'
import { tooMany, Unavailable } from '../refuse.ts'

/** How often anyone may try to sign in before being told to wait. */
export interface Attempts {
  /** Counts one attempt from an address, at an account where one is named; refuses beyond the limits. */
  begin(address: string, account: string | undefined, now: number): void
  /** The attempt was a good one: it and what was tried at the account before do not count. */
  succeeded(address: string, account: string | undefined): void
}

const window = 900
// An office signs in from one address; a code has a million values and three are right at a time.
const perAddress = 100
const perAccount = 10
// Bounds the memory; the oldest are forgotten first.
const mostNames = 50_000

/** Counts attempts by address and by account, for a quarter of an hour from the first. */
export function countAttempts(isBusy: () => boolean): Attempts {
  const counts = new Map<string, { count: number; readonly until: number }>()

  const count = (name: string, limit: number, now: number): number => {
    const known = counts.get(name)
    const current = known && known.until > now ? known : { count: 0, until: now + window }
    if (current !== known) {
      counts.delete(name)
      if (counts.size >= mostNames) counts.delete(counts.keys().next().value ?? '')
      counts.set(name, current)
    }
    current.count += 1
    return current.count > limit ? current.until - now : 0
  }

  return {
    begin(address, account, now) {
      const waits = [count(addressName(address), perAddress, now)]
      if (account !== undefined) waits.push(count(accountName(account), perAccount, now))
      const wait = Math.max(...waits)
      if (wait > 0) throw tooMany('Too many attempts to sign in; wait a little, then try again.', wait)
      if (isBusy()) throw new Unavailable('Too many passwords wait to be checked.')
    },
    succeeded(address, account) {
      const known = counts.get(addressName(address))
      if (known) known.count -= 1
      if (account !== undefined) counts.delete(accountName(account))
    },
  }
}

function addressName(address: string): string {
  return `address ${address}`
}

function accountName(account: string): string {
  return `account ${emailKey(account)}`
}
