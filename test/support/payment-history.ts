import type { Browser } from './panel-door.ts'
import { noShowFee, type PaymentSite } from './payment-rounds.ts'
import type { Slot } from './world.ts'

/** A time that customers compete for, and what they have booked there. */
export interface Contest {
  readonly slots: readonly Slot[]
  readonly reservations: string[]
}

/** The options of one stretch of time between two starts of the service. */
export interface Stretch {
  readonly site: PaymentSite
  readonly contests: readonly Contest[]
  readonly random: () => number
  /** How many things happen to each contest. */
  readonly steps: number
  /** The number of requests and steps after which the service is killed. */
  readonly killAfter: number
  /** The share of requests whose way or answer is lost. */
  readonly losses: number
}

const atOnce = 10
// Milliseconds for which a customer waits for the processor's page; its opening may have to be repeated.
const patienceOfCustomer = 3_000
type StepName = (typeof stepNames)[number]
const stepNames = [
  ...(['book', 'pay', 'pay', 'pay', 'pay', 'decline', 'cancel', 'move', 'refund', 'decide'] as const),
  ...(['redeem', 'refill', 'miss', 'charge', 'charge', 'link', 'attend'] as const),
]
// Only a card that was saved, of a visit that was missed, is charged, so these steps come more often there.
const cardSteps: readonly StepName[] = [
  ...(['book', 'pay', 'pay', 'pay', 'miss', 'miss', 'charge', 'charge', 'link', 'attend'] as const),
  ...(['cancel', 'move', 'refund', 'redeem', 'refill', 'decide'] as const),
]
const verdicts = ['approved', 'approved', 'declined', 'authentication'] as const

/** Random customers, staff, banks and networks: what happens to payments between two starts of the service. */
export class PaymentHistory {
  readonly #stretch: Stretch
  readonly #late: object[]
  #desk: Browser | undefined
  #ticks = 0
  /** Whether the service was killed. */
  killed = false

  /** `late` are events that were not delivered yet; those that are late again are added. */
  constructor(stretch: Stretch, late: object[]) {
    this.#stretch = stretch
    this.#late = late
  }

  /** Runs until everybody has acted; the service may have been killed then. */
  async run(): Promise<void> {
    const { site, contests, random, losses } = this.#stretch
    site.stripe.onRequest = async () => {
      const lot = random()
      if (lot < losses) site.stripe.losses.push(lot < losses / 3 ? 'before' : lot < losses / 1.5 ? 'after' : 'error')
      site.stripe.slowRefunds = random() < 0.3
      await this.#tick()
      return undefined
    }
    this.#desk = await site.signIn()
    await this.#deliver(this.#late.splice(0))
    const left = [...contests]
    const actor = async () => {
      for (let one = left.shift(); one && !this.killed; one = left.shift()) await this.#act(one)
    }
    await Promise.all(Array.from({ length: atOnce }, actor))
    site.stripe.onRequest = () => undefined
    site.stripe.losses.length = 0
  }

  async #act(contest: Contest): Promise<void> {
    const { random, steps } = this.#stretch
    for (let step = 0; step < steps && !this.killed; step++) {
      const steps = this.#savesCard(contest) ? cardSteps : stepNames
      const name = contest.reservations.length === 0 ? 'book' : (this.#oneOf(steps) ?? 'book')
      await this.#try(() => this.#step(name, contest))
      await this.#tick()
      await this.#courier()
      if (random() < 0.3) await new Promise(setImmediate)
    }
  }

  #savesCard({ slots: [slot] }: Contest): boolean {
    return slot !== undefined && this.#stretch.site.nameOf(slot.serviceId) === 'carded'
  }

  async #step(name: StepName, contest: Contest): Promise<void> {
    const { site } = this.#stretch
    if (name === 'book') return this.#book(contest)
    const id = this.#oneOf(contest.reservations)
    if (id === undefined) return
    if (name === 'cancel') await site.service.call('POST', '/reservations/edit/', { body: { id, status: 'cancelled' } })
    if (name === 'move') {
      const { providerId, start, end } = this.#oneOf(this.#oneOf(this.#stretch.contests)?.slots ?? []) ?? {}
      await site.service.call('POST', '/reservations/edit/', { body: { id, providerId, start, end } })
    }
    if (name === 'refund') {
      const amount = this.#stretch.random() < 0.5 ? 4_500 : 100 + Math.floor(this.#stretch.random() * 1_000)
      const body = { reservationId: id, amount, from: 'processor', reason: 'Ill' }
      await this.#desk?.post('/payments/refund/', body)
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

  /** What the desk does about missed visits and vouchers, whether or not it makes sense. */
  async #serve(name: StepName, reservationId: string): Promise<void> {
    const { site, random } = this.#stretch
    const claim = { reservationId, amount: noShowFee }
    const amount = 100 + Math.floor(random() * 3_000)
    const misses = name === 'miss' || (name === 'charge' && random() < 0.7)
    if (misses) await this.#desk?.post('/reservations/attendance/', { id: reservationId, state: 'no_show' })
    if (name === 'attend') await this.#desk?.post('/reservations/attendance/', { id: reservationId, state: 'arrived' })
    if (name === 'charge') await this.#desk?.post('/payments/no-show/charge/', claim)
    if (name === 'link') await this.#desk?.post('/payments/no-show/link/', claim)
    if (name === 'refill') {
      const body = { reservationId, amount, from: 'voucher', reason: 'Ill' }
      await this.#desk?.post('/payments/refund/', body)
    }
    if (name === 'redeem') {
      const code = this.#oneOf(site.vouchers)
      const body = { reservationId, code, ...(random() < 0.5 && { amount }) }
      // Two at once must not spend the same money.
      await Promise.all([body, body].map((one) => this.#desk?.post('/payments/vouchers/redeem/', one)))
    }
  }

  async #book(contest: Contest): Promise<void> {
    const { site } = this.#stretch
    const slot = this.#oneOf(contest.slots)
    if (!slot) return
    const { availabilityId: _, serviceId, providerId, start, end } = slot
    const [fresh] = (
      await site.service.call<{ response: Slot[] }>('GET', '/availability/get/', {
        query: { min_timestamp: start, max_timestamp: start + 1, services: serviceId, providers: providerId },
      })
    ).body.response
    if (!fresh) return
    const customerId = this.#oneOf(site.customers)
    const body = { availabilityId: fresh.availabilityId, serviceId, providerId, start, end, customerId }
    const { status, body: made } = await site.service.call('POST', '/reservations/add/', { body })
    if (status === 200) contest.reservations.push(made.id)
  }

  /** The customer knows the processor's page only from us, so a page that we do not know cannot be paid. */
  async #sessionOf(reservationId: string) {
    const { site } = this.#stretch
    const end = performance.now() + patienceOfCustomer
    while (performance.now() < end && !this.killed) {
      const [row] = await site.sql(
        `select checkout_id, p.state from payment p join payment_share s on s.payment_id = p.id
          where s.reservation_id = ? order by p.created_at desc`,
        [reservationId],
      )
      if (row && row.checkout_id !== null) return site.stripe.sessions.get(String(row.checkout_id))
      if (row?.state === 'closed') return undefined
      await new Promise(setImmediate)
    }
    return undefined
  }

  #decideRefund(): void {
    const { site, random } = this.#stretch
    const open = [...site.stripe.refunds.values()].filter(({ status }) => status === 'pending')
    const refund = this.#oneOf(open)
    if (refund) site.stripe.decideRefund(refund, random() < 0.3 ? 'failed' : 'succeeded')
  }

  /** Loses, delays, duplicates and reorders what the processor has to tell. */
  async #courier(): Promise<void> {
    const { site, random } = this.#stretch
    const delivered: object[] = []
    for (const event of site.stripe.events.splice(0)) {
      const lot = random()
      if (lot < 0.15) continue
      if (lot < 0.4) this.#late.push(event)
      if (lot > 0.3) delivered.push(event)
      if (lot > 0.9) delivered.push(event)
    }
    await this.#deliver(delivered)
  }

  async #deliver(events: readonly object[]): Promise<void> {
    const { site, random } = this.#stretch
    const { stripe, service } = site
    for (const event of events.toSorted(() => random() - 0.5)) {
      const status = await this.#try(() => stripe.deliver(service.url, stripe.sign(event)))
      if (status !== 200) this.#late.push(event)
    }
  }

  async #tick(): Promise<void> {
    this.#ticks += 1
    if (this.#ticks !== this.#stretch.killAfter) return
    this.killed = true
    await this.#stretch.site.service.kill()
  }

  /** A call to a service that was killed is lost. */
  async #try<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      if (this.killed) return undefined
      throw error
    }
  }

  #oneOf<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#stretch.random() * from.length)]
  }
}
