import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createStandInServer } from './stand-in-server.ts'
import { feeOf, StandInBalance, shownTransaction } from './stripe-balance.ts'
import { type BankVerdict, StandInCards } from './stripe-cards.ts'
import { type StandInRefund, type StandInSession, shownRefund, shownSession } from './stripe-shown.ts'
import { whenServed } from './when-served.ts'

/** A dispute as the stand-in for Stripe stores it; the transactions that the dispute caused are in the balance. */
export interface StandInDispute {
  readonly id: string
  readonly payment_intent: string
  readonly amount: number
  readonly currency: string
  readonly reason: string
  status: 'needs_response' | 'under_review' | 'won' | 'lost'
}

/** An event as Stripe signs and sends it. */
export interface SignedEvent {
  readonly body: string
  readonly signature: string
}

/**
 * The failure of a request: `before` loses the request before the stand-in acts, `after` loses the response after the
 * stand-in has acted, `error` answers with status 500.
 */
type Loss = 'before' | 'after' | 'error'

/** Stripe's fee for a dispute, in cents. */
const disputeFee = 2_000

type Reply = readonly [status: number, body: object]

/** The seconds for which Stripe stores idempotency keys: one day. */
const keySeconds = 86_400

/**
 * A stand-in for the API of Stripe, written from its public documentation: checkout sessions that are paid, declined,
 * abandoned or expire; refunds; idempotency keys that replay a response, and refuse other parameters; signed events,
 * which the test delivers once, several times, late or in another order; responses that are lost.
 */
export class StripeStandIn {
  readonly secretKey = 'sk_test_standin0123456789'
  readonly webhookSecret = 'whsec_standin0123456789'
  readonly sessions = new Map<string, StandInSession>()
  readonly refunds = new Map<string, StandInRefund>()
  readonly disputes = new Map<string, StandInDispute>()
  readonly balance: StandInBalance
  readonly cards: StandInCards
  /** The events that have occurred and that neither `deliverAll` nor the test has removed yet. */
  readonly events: object[] = []
  /** The method and path of each request that arrived, such as `POST /v1/refunds`. */
  readonly requests: string[] = []
  /** The failures of the next requests; each request removes the first entry and fails in that way. */
  readonly losses: Loss[] = []
  /** Whether the stand-in answers no request, as during an outage. */
  down = false
  /** Whether new refunds stay pending until `decideRefund`. */
  slowRefunds = false
  /**
   * Called with `before` when a request has arrived; if the result is `lost`, the request is dropped. Called with
   * `after` before the stand-in answers a request that was not dropped; if the result is `lost`, the answer is dropped.
   */
  onRequest: (moment: 'before' | 'after', request: string) => undefined | Promise<undefined | 'lost'> = () => undefined
  readonly #server: Server
  readonly #now: () => number
  readonly #answers = new Map<string, { readonly at: number; readonly parameters: string; readonly reply: Reply }>()
  #count = 0
  #arrived = Promise.withResolvers<void>()

  private constructor(server: Server, now: () => number) {
    this.#server = server
    this.#now = now
    this.balance = new StandInBalance(now, () => ++this.#count)
    const happened = (type: string, object: object) => this.#happened(type, object)
    this.cards = new StandInCards(this.balance, () => ++this.#count, happened)
  }

  /** Starts the stand-in; `now` returns the current time of the service in Unix seconds. */
  static async open(now: () => number): Promise<StripeStandIn> {
    const server = createStandInServer((request, response) => void stand.#serve(request, response))
    const stand = new StripeStandIn(server, now)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return stand
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Resolves to the latest checkout session of a payment, once the service has created one. */
  async sessionOf(paymentId: string): Promise<StandInSession> {
    for (;;) {
      const found = [...this.sessions.values()].findLast(({ metadata }) => metadata.payment === paymentId)
      if (found) return found
      await this.#arrived.promise
    }
  }

  /**
   * Pays a session as if the customer had paid on the checkout page; returns false when the session is not open, or
   * only saves a card.
   */
  pay(session: StandInSession): boolean {
    this.#expire(session)
    if (session.status !== 'open' || session.mode !== 'payment') return false
    this.#count += 1
    session.payment_intent = `pi_${this.#count}`
    session.status = 'complete'
    session.payment_status = 'paid'
    const [amount, source] = [session.amount_total, `ch_${session.payment_intent}`]
    this.balance.move({ type: 'charge', source, amount, fee: feeOf(amount), currency: session.currency })
    this.#happened('payment_intent.succeeded', {
      object: 'payment_intent',
      id: session.payment_intent,
      metadata: session.metadata,
    })
    this.#happened('checkout.session.completed', this.#shownSession(session))
    return true
  }

  /**
   * Saves a card as if the customer had entered it on the checkout page; returns false when the session is not open, or
   * is a session for a payment.
   */
  saveCard(session: StandInSession, of: { readonly verdict?: BankVerdict } = {}): boolean {
    this.#expire(session)
    if (session.status !== 'open' || session.mode !== 'setup') return false
    session.card = this.cards.save(of).id
    session.status = 'complete'
    session.payment_status = 'no_payment_required'
    const { metadata } = session
    this.#happened('setup_intent.succeeded', { object: 'setup_intent', id: `seti_${session.id}`, metadata })
    this.#happened('checkout.session.completed', this.#shownSession(session))
    return true
  }

  /** Reports that the card was declined or the 3-D Secure challenge failed; the session stays open. */
  decline(session: StandInSession): void {
    this.#count += 1
    const intent = { object: 'payment_intent', id: `pi_${this.#count}`, metadata: session.metadata }
    this.#happened('payment_intent.payment_failed', intent)
  }

  /** Disputes a payment as if the customer had done so with the bank, which takes the money back at once. */
  dispute({ payment_intent, amount_total: amount, currency }: StandInSession, reason = 'fraudulent'): StandInDispute {
    this.#count += 1
    const intent = payment_intent ?? ''
    const dispute: StandInDispute = {
      ...{ id: `du_${this.#count}`, payment_intent: intent, amount, currency, reason, status: 'needs_response' },
    }
    this.disputes.set(dispute.id, dispute)
    const moved = { type: 'adjustment', source: dispute.id, currency } as const
    this.balance.move({ ...moved, amount: -amount, fee: disputeFee, category: 'dispute' })
    this.#happened('charge.dispute.created', this.#shownDispute(dispute))
    return dispute
  }

  /** Decides a dispute; when the dispute is won, the amount returns and the fee does not. */
  decideDispute(dispute: StandInDispute, status: 'won' | 'lost'): void {
    dispute.status = status
    const { id, amount, currency } = dispute
    const moved = { type: 'adjustment', source: id, amount, currency, category: 'dispute_reversal' } as const
    if (status === 'won') this.balance.move(moved)
    this.#happened('charge.dispute.closed', this.#shownDispute(dispute))
  }

  /** Decides a pending refund; when the refund fails, the amount returns to the balance. */
  decideRefund(refund: StandInRefund, status: 'succeeded' | 'failed'): void {
    refund.status = status
    const { id, amount, currency } = refund
    if (status === 'failed') this.balance.move({ type: 'refund_failure', source: id, amount, currency })
    this.#happened('refund.updated', shownRefund(refund))
  }

  /** Signs an event, or a text in place of its JSON, as Stripe does. */
  sign(event: object | string, { secret = this.webhookSecret, at = this.#now() } = {}): SignedEvent {
    const body = typeof event === 'string' ? event : JSON.stringify(event)
    const digest = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
    return { body, signature: `t=${at},v1=${digest}` }
  }

  /** Delivers a signed event to the service; returns the status of the response. */
  async deliver(origin: string, { body, signature }: SignedEvent): Promise<number> {
    const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
    const response = await fetch(`${origin}/payments/events/stripe/`, { method: 'POST', headers, body })
    await response.arrayBuffer()
    return response.status
  }

  /** Signs and delivers an event, again while the busy service answers 503, as Stripe does; returns the status. */
  async deliverUntilServed(origin: string, event: object): Promise<number> {
    const send = async () => ({ status: await this.deliver(origin, this.sign(event)) })
    return (await whenServed(send)).status
  }

  /** Delivers all events that have occurred; fails unless the service answers each with 200 once it is not busy. */
  async deliverAll(origin: string): Promise<void> {
    for (const event of this.events.splice(0)) assert.equal(await this.deliverUntilServed(origin, event), 200)
  }

  #happened(type: string, object: object): void {
    this.#count += 1
    this.events.push({ id: `evt_${this.#count}`, object: 'event', type, created: this.#now(), data: { object } })
  }

  /** Returns the refund, dispute, charge or payout with an id, which is the source of a transaction of the balance. */
  #sourceOf(id: string): object {
    const refund = this.refunds.get(id)
    if (refund) return shownRefund(refund)
    const dispute = this.disputes.get(id)
    if (dispute) return this.#shownDispute(dispute)
    const intent = id.slice('ch_'.length)
    const charge = this.#chargeOf(intent)
    return charge ? { object: 'charge', id, payment_intent: intent, ...charge } : { object: 'payout', id }
  }

  /**
   * Returns the charge of a PaymentIntent, which a checkout session or a saved card paid; undefined when there is
   * none.
   */
  #chargeOf(intent: string) {
    const session = [...this.sessions.values()].find((one) => one.payment_intent === intent)
    const of = session ? { ...session, amount: session.amount_total } : this.cards.intents.get(intent)
    return of && { amount: of.amount, currency: of.currency, metadata: of.metadata }
  }

  #shownDispute(dispute: StandInDispute): object {
    const open = dispute.status === 'needs_response'
    return {
      ...{ object: 'dispute', ...dispute },
      evidence_details: { due_by: open ? this.#now() + 7 * 86_400 : null },
      balance_transactions: this.balance.transactions
        .filter(({ source }) => source === dispute.id)
        .map(shownTransaction),
    }
  }

  #expire(session: StandInSession): void {
    if (session.status === 'open' && session.expires_at <= this.#now()) {
      session.status = 'expired'
      this.#happened('checkout.session.expired', this.#shownSession(session))
    }
  }

  #shownSession(session: StandInSession): object {
    return shownSession(session, this.cards.cards.get(session.card ?? ''))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { method = '', url = '', headers } = request
    const loss = this.losses.shift()
    const path = url.split('?')[0] ?? ''
    this.requests.push(`${method} ${path}`)
    const lost = (await this.onRequest('before', `${method} ${path}`)) === 'lost'
    if (lost || this.down || loss === 'before') return void request.socket.destroy()
    const [status, body] = loss === 'error' ? fault(500, 'api_error') : this.#answer(method, url, headers, text)
    const isUnanswered = (await this.onRequest('after', `${method} ${path}`)) === 'lost'
    if (isUnanswered || loss === 'after') return void request.socket.destroy()
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': `req_${this.requests.length}` })
    response.end(JSON.stringify(body))
  }

  #answer(method: string, url: string, headers: IncomingMessage['headers'], text: string): Reply {
    const [path = '', query = ''] = url.split('?')
    if (headers.authorization !== `Bearer ${this.secretKey}`) return fault(401, 'invalid_request_error')
    if (headers['stripe-version'] === undefined) return fault(400, 'invalid_request_error')
    const key = headers['idempotency-key']
    if (method !== 'POST' || typeof key !== 'string') return this.#act(method, path, new URLSearchParams(text || query))
    const known = this.#answers.get(key)
    if (known && known.at > this.#now() - keySeconds)
      return known.parameters === path + text ? known.reply : fault(400, 'idempotency_error')
    const reply = this.#act(method, path, new URLSearchParams(text))
    // As Stripe documents, a response is stored under its key if the request was begun, even if the bank then declined
    // it (402), but not if its parameters were refused.
    if (reply[0] < 400 || reply[0] === 402) this.#answers.set(key, { at: this.#now(), parameters: path + text, reply })
    return reply
  }

  #act(method: string, path: string, sent: URLSearchParams): Reply {
    if (method === 'GET' && path === '/v1/account')
      return [200, { id: 'acct_1', object: 'account', settings: { dashboard: { display_name: 'Harbour Clinic' } } }]
    const listed = this.balance.list(path, sent, (id) => this.#sourceOf(id))
    if (listed) return [200, listed]
    const ofCard = this.cards.answer(method, path, sent)
    if (ofCard) return ofCard
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.#open(sent)
    if (method === 'POST' && path === '/v1/refunds') return this.#refund(sent)
    if (method === 'GET' && path === '/v1/refunds') return this.#listRefunds(sent)
    const session = this.sessions.get(/^\/v1\/checkout\/sessions\/(\w+)/.exec(path)?.[1] ?? '')
    const refund = this.refunds.get(/^\/v1\/refunds\/(\w+)/.exec(path)?.[1] ?? '')
    if (refund) return [200, shownRefund(refund)]
    const dispute = this.disputes.get(/^\/v1\/disputes\/(\w+)/.exec(path)?.[1] ?? '')
    if (dispute) return [200, this.#shownDispute(dispute)]
    if (!session) return fault(404, 'invalid_request_error', 'resource_missing')
    this.#expire(session)
    if (!path.endsWith('/expire')) return [200, this.#shownSession(session)]
    if (session.status !== 'open') return fault(400, 'invalid_request_error')
    session.status = 'expired'
    this.#happened('checkout.session.expired', this.#shownSession(session))
    return [200, this.#shownSession(session)]
  }

  #open(sent: URLSearchParams): Reply {
    const setup = sent.get('mode') === 'setup'
    const amount = setup ? 0 : Number(sent.get('line_items[0][price_data][unit_amount]'))
    if (setup && sent.get('customer_creation') !== 'always') return fault(400, 'invalid_request_error')
    const expiresAt = Number(sent.get('expires_at'))
    const after = expiresAt - this.#now()
    if (after < 1_800 || after > 86_400) return fault(400, 'invalid_request_error')
    if (!setup && amount < 50) return fault(400, 'invalid_request_error', 'amount_too_small')
    this.#count += 1
    const session: StandInSession = {
      id: `cs_test_${this.#count}`,
      mode: setup ? 'setup' : 'payment',
      status: 'open',
      payment_status: 'unpaid',
      card: null,
      amount_total: amount,
      currency: sent.get('line_items[0][price_data][currency]') ?? sent.get('currency') ?? '',
      expires_at: expiresAt,
      metadata: { payment: sent.get('metadata[payment]') ?? '' },
      success_url: sent.get('success_url') ?? '',
      cancel_url: sent.get('cancel_url') ?? '',
      name: sent.get('line_items[0][price_data][product_data][name]') ?? '',
      payment_intent: null,
    }
    this.sessions.set(session.id, session)
    this.#arrived.resolve()
    this.#arrived = Promise.withResolvers()
    return [200, this.#shownSession(session)]
  }

  #refund(sent: URLSearchParams): Reply {
    const intent = sent.get('payment_intent') ?? ''
    const amount = Number(sent.get('amount'))
    const charge = this.#chargeOf(intent)
    if (!charge) return fault(404, 'invalid_request_error', 'resource_missing')
    if ([...this.disputes.values()].some((one) => one.payment_intent === intent && one.status !== 'won'))
      return fault(400, 'invalid_request_error', 'charge_disputed')
    if (this.refunded(intent) + amount > charge.amount)
      return fault(400, 'invalid_request_error', 'charge_already_refunded')
    this.#count += 1
    const status = this.slowRefunds ? 'pending' : 'succeeded'
    const metadata = { refund: sent.get('metadata[refund]') ?? '' }
    const { currency } = charge
    const refund: StandInRefund = {
      id: `re_${this.#count}`,
      payment_intent: intent,
      amount,
      currency,
      metadata,
      status,
    }
    this.refunds.set(refund.id, refund)
    this.balance.move({ type: 'refund', source: refund.id, amount: -amount, currency })
    this.#happened('charge.refunded', { object: 'charge', id: `ch_${intent}`, payment_intent: intent })
    return [200, shownRefund(refund)]
  }

  #listRefunds(sent: URLSearchParams): Reply {
    const data = [...this.refunds.values()].filter((one) => one.payment_intent === sent.get('payment_intent'))
    return [200, { object: 'list', has_more: false, data: data.map(shownRefund) }]
  }

  /** Returns the sum of the refunds of a PaymentIntent that have not failed, in minor currency units. */
  refunded(intent: string): number {
    return [...this.refunds.values()]
      .filter((one) => one.payment_intent === intent && one.status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0)
  }
}

function fault(status: number, type: string, code?: string): Reply {
  return [status, { error: { type, ...(code && { code }), message: 'Refused by the stand-in.' } }]
}
