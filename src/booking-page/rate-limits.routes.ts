import { emailKey } from '../customers/customer.ts'
import { createThrottle } from '../http/load/throttle.ts'
import { networkOf } from '../http/network.ts'

/** Forms that one address may send per minute. */
const formsPerMinute = 120
/** Bookings that one address may attempt per minute. */
const bookingsPerMinute = 12
/** Bookings that may be attempted per minute for one e-mail address. */
const bookingsPerEmail = 4

/** Coupon codes that one address may try per minute; showing a summary checks its code as well. */
const codesPerMinute = 30

/** Links to the own bookings that one address may ask for per minute. */
const linksPerMinute = 6
/** Such links that may be asked for per minute for one e-mail address. */
const linksPerEmail = 2

/** The rate limits of the booking page; each method counts one attempt and returns whether it is allowed. */
export interface RateLimits {
  form(address: string, now: number): boolean
  booking(address: string, emails: readonly string[], now: number): boolean
  bookingsLink(address: string, email: string, now: number): boolean
  coupon(address: string, now: number): boolean
}

/** Creates rate limits that count per node and minute. */
export function createRateLimits(): RateLimits {
  const throttle = createThrottle()
  const allows = (name: string, limit: number, now: number) => throttle.count(name, limit, now).allowed
  return {
    form: (address, now) => allows(`form ${networkOf(address)}`, formsPerMinute, now),
    coupon: (address, now) => allows(`coupon ${networkOf(address)}`, codesPerMinute, now),
    bookingsLink: (address, email, now) =>
      [
        allows(`link ${networkOf(address)}`, linksPerMinute, now),
        allows(`link to ${emailKey(email)}`, linksPerEmail, now),
      ].every((allowed) => allowed),
    booking: (address, emails, now) =>
      [
        allows(`booking ${networkOf(address)}`, bookingsPerMinute, now),
        ...emails.map((email) => allows(`email ${emailKey(email)}`, bookingsPerEmail, now)),
      ].every((allowed) => allowed),
  }
}
