import { emailKey } from '../customers/customer.ts'
import { createThrottle } from '../http/load/throttle.ts'
import { networkOf } from '../http/network.ts'

/**
 * The maximum number of requests of the following kinds per client address and minute, counted together: posts of the
 * forms on the page of a service, the manage page and the page that confirms an e-mail address; requests for private
 * links and for links that confirm an e-mail address; loads of the payment page; links and cookies with an invalid
 * secret.
 */
const formsPerMinute = 120
/** The maximum number of attempted bookings per client address and minute. */
const bookingsPerMinute = 12
/** The maximum number of attempted bookings per e-mail address and minute. */
const bookingsPerEmail = 4

/**
 * The maximum number of checks of coupon and voucher codes per client address and minute. Each display of the form or
 * of the summary of a booking checks the codes that the customer has entered.
 */
const codesPerMinute = 30

/** The maximum number of requested links to "My bookings" per client address and minute. */
const linksPerMinute = 6
/** The maximum number of requested links to "My bookings" per e-mail address and minute. */
const linksPerEmail = 2

/** The rate limits of the booking page; each method counts one attempt and returns whether it is allowed. */
export interface RateLimits {
  form(address: string, now: number): boolean
  booking(address: string, emails: readonly string[], now: number): boolean
  bookingsLink(address: string, email: string, now: number): boolean
  coupon(address: string, now: number): boolean
}

/**
 * Creates the rate limits of the booking page. Attempts are counted per minute, and separately in each thread that
 * answers requests; an IPv6 client address counts as its /64 network.
 */
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
