import assert from 'node:assert/strict'
import { BookingVisitor, type HtmlPage, textOf } from './booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from './browser-client.ts'
import { ana, now } from './clinic.ts'
import { pause } from './pause.ts'
import { hangLimit } from './scale.ts'
import { StripeStandIn } from './stripe.ts'
import type { BankVerdict, StandInCard } from './stripe-cards.ts'
import type { StandInSession } from './stripe-shown.ts'
import type { TestSite } from './test-site.ts'

/** A reservation made on the booking page, with the page that followed the booking. */
interface BookingResult {
  readonly visitor: BookingVisitor
  readonly page: HtmlPage
  readonly id: string
}

/**
 * Repeats `read` until its result is truthy, and returns the result; fails after `hangLimit`, with `what` in the
 * message.
 */
export async function waitUntil<T>(read: () => Promise<T | undefined | false>, what: string): Promise<T> {
  const end = performance.now() + hangLimit
  for (;;) {
    const found = await read()
    if (found) return found
    assert.ok(performance.now() < end, `${what} did not happen.`)
    await pause()
  }
}

/**
 * A service with an administrator, customers, and a stand-in of the payment processor to which the service is not yet
 * connected.
 */
export interface PaymentTestSite {
  readonly site: TestSite
  readonly stripe: StripeStandIn
  readonly admin: BrowserClient
  readonly payers: PayingCustomers
  /** Connects the service to the processor with the stand-in's keys. */
  connect(): Promise<void>
  close(): Promise<void>
}

/** Opens a service that may send requests to the stand-in of the payment processor. */
export async function openPaymentTestSite(
  open: (options: { readonly env: Readonly<Record<string, string>> }) => Promise<TestSite>,
): Promise<PaymentTestSite> {
  const began = performance.now()
  const stripe = await StripeStandIn.open(() => now + Math.floor((performance.now() - began) / 1000))
  const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) }
  // If the service does not start, the stand-in is closed, because the test process does not end while the stand-in
  // listens.
  const opened = open({ env: { ...env, DAYBOOK_STRIPE_URL: stripe.url } })
  const site = await opened.catch(async (reason: unknown) => {
    await stripe.close()
    throw reason
  })
  const admin = (await insertSignedInUser(site, 'admin')).browser
  return {
    ...{ site, stripe, admin, payers: new PayingCustomers(site, stripe) },
    async connect() {
      const { secretKey, webhookSecret } = stripe
      assert.equal((await admin.post('/payments/connect/', { secretKey, webhookSecret })).status, 200)
    },
    async close() {
      await site.close()
      await stripe.close()
    },
  }
}

/** Customers who book on the booking page and pay at the stand-in of the payment processor. */
export class PayingCustomers {
  readonly #site: TestSite
  readonly #stripe: StripeStandIn
  /** The number of customers that `newCustomer` has created. */
  count = 0

  constructor(site: TestSite, stripe: StripeStandIn) {
    this.#site = site
    this.#stripe = stripe
  }

  /**
   * Returns a visitor with a loopback address that changes with each call of `newCustomer`, because the service limits
   * the bookings from one address.
   */
  newVisitor(): BookingVisitor {
    return new BookingVisitor(this.#site.server.url, { localAddress: `127.1.0.${this.count + 1}` })
  }

  /** Returns the name and e-mail address of a new customer. */
  newCustomer(): { readonly name: string; readonly email: string } {
    this.count += 1
    return { name: 'Ada', email: `ada${this.count}@example.org` }
  }

  /** Books the first time of a date on the booking page as a new customer. */
  async book(service = 'paid', { on = this.#site.nextDay(), more = {}, provider = ana } = {}): Promise<BookingResult> {
    const visitor = this.newVisitor()
    const person = this.newCustomer()
    const month = await visitor.open(`/book/${service}/?with=${provider}&date=${on}`)
    const page = await visitor.confirm(await visitor.fillIn(await visitor.choose(month), { ...person, ...more }))
    const [id] = await this.reservationsOf(person.email)
    assert.ok(id, textOf(page))
    return { visitor, page, id }
  }

  /** Fills in a booking form as a new visitor and enters a voucher; returns the summary of the booking. */
  async fillInWithVoucher(code: string, { service = 'paid', more = {} } = {}) {
    const visitor = this.newVisitor()
    const person = this.newCustomer()
    const month = await visitor.open(`/book/${service}/?with=${ana}&date=${this.#site.nextDay()}`)
    const summary = await visitor.fillIn(await visitor.choose(month), { ...person, ...more })
    return { visitor, person, summary: await this.enterVoucher(visitor, summary, code) }
  }

  /** Enters a voucher on the summary of a booking; returns the summary with the voucher. */
  enterVoucher(visitor: BookingVisitor, summary: HtmlPage, code: string): Promise<HtmlPage> {
    const form = summary.forms.find(({ buttons }) => buttons.some(({ value }) => value === 'book'))
    assert.ok(form, textOf(summary))
    return visitor.send(form, { name: 'step', value: 'details' }, { voucher: code })
  }

  /** Returns the ids of the reservations of the customer with an e-mail address, the oldest first. */
  async reservationsOf(email: string): Promise<string[]> {
    const rows = await this.#site.sql(
      'select r.id from reservation r join customer c on c.id = r.customer_id where c.email = ? order by r.created_at',
      [email],
    )
    return rows.map(({ id }) => String(id))
  }

  /** Returns a reservation as the API lists it with `full=true`. */
  async reservation(id: string) {
    return Object(await this.#site.reservation(id))
  }

  /** Resolves to the row of a reservation's payment as soon as there is one; fails after `hangLimit`. */
  paymentOf(id: string): Promise<Readonly<Record<string, unknown>>> {
    return waitUntil(async () => {
      const [row] = await this.#site.sql(
        'select p.* from payment p join payment_share s on s.payment_id = p.id where s.reservation_id = ?',
        [id],
      )
      return row
    }, 'a payment')
  }

  /**
   * Resolves to the processor's checkout session for the payment of a reservation, once the service has stored the
   * session.
   */
  async sessionOf(id: string): Promise<StandInSession> {
    const session = await this.#stripe.sessionOf(String((await this.paymentOf(id)).id))
    await waitUntil(async () => (await this.paymentOf(id)).state !== 'starting', 'the page of the processor')
    return session
  }

  /**
   * Pays for a reservation and delivers the processor's events; resolves to the checkout session when the reservation
   * is confirmed.
   */
  async pay(id: string): Promise<StandInSession> {
    const session = await this.sessionOf(id)
    this.#stripe.pay(session)
    await this.#stripe.deliverAll(this.#site.server.url)
    await this.waitForConfirmation(id)
    return session
  }

  /**
   * Saves a card for a reservation and delivers the processor's events; resolves to the card when the reservation is
   * confirmed.
   */
  async saveCard(id: string, verdict: BankVerdict = 'approved'): Promise<StandInCard> {
    const session = await this.sessionOf(id)
    assert.ok(this.#stripe.saveCard(session, { verdict }))
    await this.#stripe.deliverAll(this.#site.server.url)
    await this.waitForConfirmation(id)
    const card = this.#stripe.cards.cards.get(session.card ?? '')
    assert.ok(card)
    return card
  }

  /** Resolves when a reservation is confirmed; fails after `hangLimit`. */
  waitForConfirmation(id: string): Promise<boolean> {
    return waitUntil(async () => (await this.reservation(id)).status === 'confirmed', 'the confirmation')
  }

  /**
   * Repeatedly makes the job `reservation-expiry` due until the job has cancelled the reservation; fails after
   * `hangLimit`. The job sends no request to the payment processor.
   */
  async waitForRelease(id: string): Promise<void> {
    await waitUntil(async () => {
      await this.#site.sql("update job set run_at = ? where kind = 'reservation-expiry'", [now])
      return (await this.reservation(id)).status === 'cancelled'
    }, 'the release of the seat')
  }

  /** Moves the deadline of a reservation that waits, and the time from which its seat is free, into the past. */
  expire(id: string): Promise<void> {
    return this.#expire(id, { seat: true })
  }

  async #expire(id: string, { seat }: { readonly seat: boolean }): Promise<void> {
    const { sql } = this.#site
    await sql('update reservation set expires_at = ?, updated_at = updated_at - 4000 where id = ?', [now - 5, id])
    if (!seat) return
    const [row] = await sql('select * from occupancy where reservation_id = ?', [id])
    await sql('delete from occupancy where reservation_id = ?', [id])
    const columns = Object.keys(row ?? {})
    await sql(
      `insert into occupancy (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      columns.map((name) => (name === 'expires_at' ? now - 1 : (row?.[name] as string))),
    )
  }

  /**
   * Moves a reservation's deadline for payment into the past, and with `seat` also the time from which its seat is free
   * for others; makes the job `payment-expiry` of the payment due.
   */
  async expirePayment(id: string, { seat = false } = {}): Promise<void> {
    const { sql } = this.#site
    const { id: paymentId } = await this.paymentOf(id)
    await this.#expire(id, { seat })
    await sql('update payment set expires_at = ? where id = ?', [now - 5, String(paymentId)])
    await sql("update job set run_at = ? where kind = 'payment-expiry' and unique_key = ?", [now, String(paymentId)])
  }
}
