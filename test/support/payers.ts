import assert from 'node:assert/strict'
import { BookingVisitor, type HtmlPage, textOf } from './booking-visitor.ts'
import { ana, now } from './clinic.ts'
import { type Browser, inside } from './panel-door.ts'
import { StripeStandIn } from './stripe.ts'
import type { BankVerdict, StandInCard } from './stripe-cards.ts'
import type { StandInSession } from './stripe-shown.ts'
import type { World } from './world.ts'

/** A booking on the page, with the page that follows it. */
interface Booked {
  readonly visitor: BookingVisitor
  readonly page: HtmlPage
  readonly id: string
}

/** Reads until there is something. */
export async function until<T>(read: () => Promise<T | undefined | false>, what: string): Promise<T> {
  const end = performance.now() + 60_000
  for (;;) {
    const found = await read()
    if (found) return found
    assert.ok(performance.now() < end, `${what} did not happen.`)
    await new Promise(setImmediate)
  }
}

/** A service with the stand-in of the processor, not yet connected, with an administrator and customers. */
export interface PayingWorld {
  readonly world: World
  readonly stripe: StripeStandIn
  readonly admin: Browser
  readonly payers: Payers
  /** Connects the processor with the right keys. */
  connect(): Promise<void>
  close(): Promise<void>
}

/** Opens a service that may reach the stand-in of the processor. */
export async function openPayingWorld(
  open: (options: { readonly env: Readonly<Record<string, string>> }) => Promise<World>,
): Promise<PayingWorld> {
  const began = performance.now()
  const stripe = await StripeStandIn.open(() => now + Math.floor((performance.now() - began) / 1000))
  const env = { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) }
  // A stand-in that stayed open would keep the test file running for good.
  const opened = open({ env: { ...env, DAYBOOK_STRIPE_URL: stripe.url } })
  const world = await opened.catch(async (reason: unknown) => {
    await stripe.close()
    throw reason
  })
  const admin = (await inside(world, 'admin')).browser
  return {
    ...{ world, stripe, admin, payers: new Payers(world, stripe) },
    async connect() {
      const { secretKey, webhookSecret } = stripe
      assert.equal((await admin.post('/payments/connect/', { secretKey, webhookSecret })).status, 200)
    },
    async close() {
      await world.close()
      await stripe.close()
    },
  }
}

/** Customers who book on the page and pay at the stand-in of the processor. */
export class Payers {
  readonly #world: World
  readonly #stripe: StripeStandIn
  /** The number of customers so far. */
  visitors = 0

  constructor(world: World, stripe: StripeStandIn) {
    this.#world = world
    this.#stripe = stripe
  }

  /** Returns a visitor with an address of their own, since the bookings of one address are limited. */
  newVisitor(): BookingVisitor {
    return new BookingVisitor(this.#world.server.url, { localAddress: `127.1.0.${this.visitors + 1}` })
  }

  /** Returns the details of another customer. */
  ada(): { readonly name: string; readonly email: string } {
    this.visitors += 1
    return { name: 'Ada', email: `ada${this.visitors}@example.org` }
  }

  /** Books a time on the page. */
  async book(service = 'paid', { on = this.#world.nextDay(), more = {}, provider = ana } = {}): Promise<Booked> {
    const visitor = this.newVisitor()
    const person = this.ada()
    const month = await visitor.open(`/book/${service}/?with=${provider}&date=${on}`)
    const page = await visitor.confirm(await visitor.fillIn(await visitor.choose(month), { ...person, ...more }))
    const [row] = await this.#world.sql(
      'select r.id from reservation r join customer c on c.id = r.customer_id where c.email = ?',
      [person.email],
    )
    assert.ok(row, textOf(page))
    return { visitor, page, id: String(row.id) }
  }

  /** Returns a reservation with `full=true`. */
  async reservation(id: string) {
    return Object(await this.#world.reservation(id))
  }

  /** Returns the row of the payment of a reservation, once there is one. */
  paymentOf(id: string): Promise<Readonly<Record<string, unknown>>> {
    return until(async () => {
      const [row] = await this.#world.sql(
        'select p.* from payment p join payment_share s on s.payment_id = p.id where s.reservation_id = ?',
        [id],
      )
      return row
    }, 'a payment')
  }

  /** Returns the session of a reservation at the processor, once the service knows it. */
  async sessionOf(id: string): Promise<StandInSession> {
    const session = await this.#stripe.sessionOf(String((await this.paymentOf(id)).id))
    await until(async () => (await this.paymentOf(id)).state !== 'starting', 'the page of the processor')
    return session
  }

  /** Pays for a reservation, delivers the processor's events, and resolves to the session once it is confirmed. */
  async pay(id: string): Promise<StandInSession> {
    const session = await this.sessionOf(id)
    this.#stripe.pay(session)
    await this.#stripe.deliverAll(this.#world.server.url)
    await this.confirmed(id)
    return session
  }

  /** Saves a card for a reservation, delivers the processor's events, and resolves to the card once it is confirmed. */
  async saveCard(id: string, verdict: BankVerdict = 'approved'): Promise<StandInCard> {
    const session = await this.sessionOf(id)
    assert.ok(this.#stripe.saveCard(session, { verdict }))
    await this.#stripe.deliverAll(this.#world.server.url)
    await this.confirmed(id)
    const card = this.#stripe.cards.cards.get(session.card ?? '')
    assert.ok(card)
    return card
  }

  /** Resolves when a reservation is confirmed. */
  confirmed(id: string): Promise<boolean> {
    return until(async () => (await this.reservation(id)).status === 'confirmed', 'the confirmation')
  }

  /** Resolves when the seat of a reservation whose time has passed is released, although the processor was not asked. */
  async released(id: string): Promise<void> {
    await until(async () => {
      await this.#world.sql("update job set run_at = ? where kind = 'reservation-expiry'", [now])
      return (await this.reservation(id)).status === 'cancelled'
    }, 'the release of the seat')
  }

  /** Lets the time to pay of a reservation pass, and with `seat` that of its seat. */
  async pass(id: string, { seat = false } = {}): Promise<void> {
    const { sql } = this.#world
    const { id: paymentId } = await this.paymentOf(id)
    await sql('update reservation set expires_at = ?, updated_at = updated_at - 4000 where id = ?', [now - 5, id])
    if (seat) {
      const [row] = await sql('select * from occupancy where reservation_id = ?', [id])
      await sql('delete from occupancy where reservation_id = ?', [id])
      const columns = Object.keys(row ?? {})
      await sql(
        `insert into occupancy (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        columns.map((name) => (name === 'expires_at' ? now - 1 : (row?.[name] as string))),
      )
    }
    await sql('update payment set expires_at = ? where id = ?', [now - 5, String(paymentId)])
    await sql("update job set run_at = ? where kind = 'payment-expiry' and unique_key = ?", [now, String(paymentId)])
  }
}
