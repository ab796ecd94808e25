import type { BrowserClient } from './browser-client.ts'
import { pause } from './pause.ts'
import { noShowFee, type PaymentHistorySite } from './payment-history-site.ts'
import type { AvailableSlot } from './test-site.ts'
import { whenServed } from './when-served.ts'

/** Slots for which customers compete, and the ids of the reservations that customers have made of these slots. */
export interface ContendedSlots {
  readonly slots: readonly AvailableSlot[]
  readonly reservations: string[]
}

/** The options of a `PaymentHistory`, which covers the time between two starts of the service. */
export interface PaymentHistoryOptions {
  readonly site: PaymentHistorySite
  readonly groups: readonly ContendedSlots[]
  readonly random: () => number
  /** The number of random steps for each group of slots. */
  readonly steps: number
  /**
   * The service is killed when the number of steps, of requests to the processor and of its responses together reaches
   * this number.
   */
  readonly killAfter: number
  /**
   * The probability that a failure is queued for a following request to the processor: the request or its response is
   * lost, or the processor answers 500. A random number is drawn when a request reaches the processor, and again when
   * the processor answers.
   */
  readonly losses: number
}

const concurrency = 10
// Milliseconds for which a customer waits for the processor's page; the service may have to repeat the request that
// opens it.
const checkoutTimeout = 3_000
type StepName = (typeof stepNames)[number]
const stepNames = [
  ...(['book', 'pay', 'pay', 'pay', 'pay', 'decline', 'cancel', 'move', 'refund', 'decide'] as const),
  ...(['redeem', 'refill', 'miss', 'charge', 'charge', 'link', 'attend'] as const),
]
// The steps for a service that saves a card at booking and charges nothing then. Missed visits are more frequent than
// in `stepNames`, because a saved card can be charged only for a missed visit; the step `decline` is missing.
const cardSteps: readonly StepName[] = [
  ...(['book', 'pay', 'pay', 'pay', 'miss', 'miss', 'charge', 'charge', 'link', 'attend'] as const),
  ...(['cancel', 'move', 'refund', 'redeem', 'refill', 'decide'] as const),
]
const verdicts = ['approved', 'approved', 'declined', 'authentication'] as const

/** Random actions of customers, staff, banks and networks on payments between two starts of the service. */
export class PaymentHistory {
  readonly #options: PaymentHistoryOptions
  readonly #delayedEvents: object[]
  #admin: BrowserClient | undefined
  #stepCount = 0
  /** Whether the service was killed. */
  killed = false

  /**
   * `delayedEvents` contains the processor's events that earlier histories have not delivered. `run` delivers them, and
   * appends the events that it delays or that the service does not accept.
   */
  constructor(options: PaymentHistoryOptions, delayedEvents: object[]) {
    this.#options = options
    this.#delayedEvents = delayedEvents
  }

  /** Runs the steps of all groups; ends early when the service is killed. */
  async run(): Promise<void> {
    const { site, groups, random, losses } = this.#options
    site.stripe.onRequest = async () => {
      const draw = random()
      if (draw < losses) site.stripe.losses.push(draw < losses / 3 ? 'before' : draw < losses / 1.5 ? 'after' : 'error')
      site.stripe.slowRefunds = random() < 0.3
      await this.#countStep()
      return undefined
    }
    this.#admin = await site.signIn()
    await this.#deliver(this.#delayedEvents.splice(0))
    const left = [...groups]
    const actor = async () => {
      for (let one = left.shift(); one && !this.killed; one = left.shift()) await this.#runSteps(one)
    }
    await Promise.all(Array.from({ length: concurrency }, actor))
    site.stripe.onRequest = () => undefined
    site.stripe.losses.length = 0
  }

  async #runSteps(group: ContendedSlots): Promise<void> {
    const { random, steps } = this.#options
    for (let step = 0; step < steps && !this.killed; step++) {
      const steps = this.#savesCard(group) ? cardSteps : stepNames
      const name = group.reservations.length === 0 ? 'book' : (this.#oneOf(steps) ?? 'book')
      await this.#try(() => this.#step(name, group))
      await this.#countStep()
      await this.#deliverEvents()
      if (random() < 0.3) await new Promise(setImmediate)
    }
  }

  #savesCard({ slots: [slot] }: ContendedSlots): boolean {
    return slot !== undefined && this.#options.site.nameOf(slot.serviceId) === 'carded'
  }

  async #step(name: StepName, group: ContendedSlots): Promise<void> {
    const { site } = this.#options
    if (name === 'book') return this.#book(group)
    const id = this.#oneOf(group.reservations)
    if (id === undefined) return
    if (name === 'cancel') await site.service.call('POST', '/reservations/edit/', { body: { id, status: 'cancelled' } })
    if (name === 'move') {
      const { providerId, start, end } = this.#oneOf(this.#oneOf(this.#options.groups)?.slots ?? []) ?? {}
      await site.service.call('POST', '/reservations/edit/', { body: { id, providerId, start, end } })
    }
    if (name === 'refund') {
      const amount = this.#options.random() < 0.5 ? 4_500 : 100 + Math.floor(this.#options.random() * 1_000)
      const body = { reservationId: id, amount, from: 'processor', reason: 'Ill' }
      await this.#admin?.post('/payments/refund/', body)
    }
    if (name === 'decide') this.#decideRefund()
    await this.#serve(name, id)
    if (name === 'pay' || name === 'decline') {
      const session = await this.#sessionOf(id)
      if (session?.mode === 'setup' && name === 'pay')
        site.stripe.saveCard(session, { verdict: this.#oneOf(verdicts) ?? 'approved' })
      else if (session) site.stripe[name](session)
    }
  }

  /**
   * Sends the panel requests of a step in which staff record or charge for attendance (`miss`, `attend`, `charge`,
   * `link`) or use a voucher (`redeem`, `refill`). The service may refuse the requests; their responses are ignored.
   * Does nothing for any other step.
   */
  async #serve(name: StepName, reservationId: string): Promise<void> {
    const { site, random } = this.#options
    const claim = { reservationId, amount: noShowFee }
    const amount = 100 + Math.floor(random() * 3_000)
    const misses = name === 'miss' || (name === 'charge' && random() < 0.7)
    if (misses) await this.#admin?.post('/reservations/attendance/', { id: reservationId, state: 'no_show' })
    if (name === 'attend') await this.#admin?.post('/reservations/attendance/', { id: reservationId, state: 'arrived' })
    if (name === 'charge') await this.#admin?.post('/payments/no-show/charge/', claim)
    if (name === 'link') await this.#admin?.post('/payments/no-show/link/', claim)
    if (name === 'refill') {
      const body = { reservationId, amount, from: 'voucher', reason: 'Ill' }
      await this.#admin?.post('/payments/refund/', body)
    }
    if (name === 'redeem') {
      const code = this.#oneOf(site.vouchers)
      const body = { reservationId, code, ...(random() < 0.5 && { amount }) }
      // Two simultaneous redemptions must not spend the same balance twice.
      await Promise.all([body, body].map((one) => this.#admin?.post('/payments/vouchers/redeem/', one)))
    }
  }

  async #book(group: ContendedSlots): Promise<void> {
    const { site } = this.#options
    const slot = this.#oneOf(group.slots)
    if (!slot) return
    const { availabilityId: _, serviceId, providerId, start, end } = slot
    const query = { min_timestamp: start, max_timestamp: start + 1, services: serviceId, providers: providerId }
    const listed = await whenServed(() =>
      site.service.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', { query }),
    )
    const [fresh] = listed.body.response
    if (!fresh) return
    const customerId = this.#oneOf(site.customers)
    const body = { availabilityId: fresh.availabilityId, serviceId, providerId, start, end, customerId }
    const { status, body: made } = await site.service.call('POST', '/reservations/add/', { body })
    if (status === 200) group.reservations.push(made.id)
  }

  /**
   * Returns the processor's session for the payment of a reservation as soon as the service has stored it, because a
   * customer learns the address of the processor's page from the service. Returns undefined after `checkoutTimeout`, or
   * earlier when the service was killed, the processor is down, there is no payment or it is closed, or the service
   * will not repeat its request for a session within that time.
   */
  async #sessionOf(reservationId: string) {
    const { site } = this.#options
    const end = performance.now() + checkoutTimeout
    while (performance.now() < end && !this.killed) {
      const [row] = await site.sql(
        `select checkout_id, p.state, (select run_at from job where unique_key = p.id and kind = 'payment-sync') as next
          from payment p join payment_share s on s.payment_id = p.id
          where s.reservation_id = ? order by p.created_at desc`,
        [reservationId],
      )
      if (row && row.checkout_id !== null) return site.stripe.sessions.get(String(row.checkout_id))
      if (site.stripe.down || !row || row.state === 'closed') return undefined
      if (Number(row.next) > site.now() + checkoutTimeout / 1_000) return undefined
      await pause()
    }
    return undefined
  }

  #decideRefund(): void {
    const { site, random } = this.#options
    const open = [...site.stripe.refunds.values()].filter(({ status }) => status === 'pending')
    const refund = this.#oneOf(open)
    if (refund) site.stripe.decideRefund(refund, random() < 0.3 ? 'failed' : 'succeeded')
  }

  /** Delivers the processor's events to the service, with random losses, delays, duplicates and changes of order. */
  async #deliverEvents(): Promise<void> {
    const { site, random } = this.#options
    const delivered: object[] = []
    for (const event of site.stripe.events.splice(0)) {
      const draw = random()
      if (draw < 0.15) continue
      if (draw < 0.4) this.#delayedEvents.push(event)
      if (draw > 0.3) delivered.push(event)
      if (draw > 0.9) delivered.push(event)
    }
    await this.#deliver(delivered)
  }

  async #deliver(events: readonly object[]): Promise<void> {
    const { site, random } = this.#options
    const { stripe, service } = site
    for (const event of events.toSorted(() => random() - 0.5)) {
      const status = await this.#try(() => stripe.deliver(service.url, stripe.sign(event)))
      if (status !== 200) this.#delayedEvents.push(event)
    }
  }

  async #countStep(): Promise<void> {
    this.#stepCount += 1
    if (this.#stepCount !== this.#options.killAfter) return
    this.killed = true
    await this.#options.site.service.kill()
  }

  /**
   * Returns the result of a call; undefined when the call failed after the service was killed. Rethrows any other
   * failure.
   */
  async #try<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      if (this.killed) return undefined
      throw error
    }
  }

  #oneOf<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#options.random() * from.length)]
  }
}
