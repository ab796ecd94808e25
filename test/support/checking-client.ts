import assert from 'node:assert/strict'
import type { ClientWrite, LostResponse, WriteResponse } from './concurrent-clients.ts'
import { assertAcceptedOrNoRoom, type ContendedSite, type ContendedSlot, noRoom } from './contended-site.ts'
import type { ReplayedReservation } from './log-replay.ts'
import { whenServed } from './when-served.ts'

/** A write whose response was lost. The client does not know whether the write has taken effect. */
interface IndeterminateWrite {
  readonly write: ClientWrite
  /** The id of the changed reservation; undefined when the write adds one. */
  readonly id: string | undefined
  readonly after: ReplayedReservation | undefined
}

/**
 * The options of `CheckingClient`; `number` is the client's number among the clients of the site, and `random` returns
 * a number in [0, 1).
 */
export interface CheckingClientOptions {
  readonly site: ContendedSite
  readonly number: number
  readonly random: () => number
  /**
   * A prefix of the unique marks that the client writes into its reservations. A later client with the same number
   * needs another prefix.
   */
  readonly name?: string
  /**
   * The codes of refusals that the client accepts; when absent, those of a slot that other bookings have taken
   * (`noRoom`).
   */
  readonly reasons?: readonly string[]
  /**
   * Called when a write has been sent completely, also when it is repeated after a 503, and when a response other than
   * 503 has arrived.
   */
  readonly notify?: (what: 'sent' | 'answered') => void
}

/**
 * A client that adds, edits and removes reservations at random, and records from the responses the state of each
 * reservation that only this client changes.
 */
export class CheckingClient {
  readonly #site: ContendedSite
  readonly #number: number
  readonly #random: () => number
  readonly #name: string
  readonly #reasons: readonly string[]
  readonly #notify: (what: 'sent' | 'answered') => void
  /**
   * The last acknowledged state of each reservation that this client added and does not share with others; undefined
   * for a removed one.
   */
  readonly #own = new Map<string, ReplayedReservation | undefined>()
  #writes = 0
  #indeterminate: IndeterminateWrite | undefined
  /** The number of writes that were answered 200, without repetitions by `retryIndeterminateWrite`. */
  acceptedWrites = 0
  /** How much of the last lost response had arrived when its connection ended; undefined when no response was lost. */
  lostResponse: LostResponse['lost'] | undefined

  constructor({ site, number, random, name = '', reasons = noRoom, notify = () => {} }: CheckingClientOptions) {
    this.#site = site
    this.#number = number
    this.#random = random
    this.#name = name
    this.#reasons = reasons
    this.#notify = notify
  }

  /** Whether the last write got no complete response; call `retryIndeterminateWrite` before the next write. */
  get hasIndeterminateWrite(): boolean {
    return this.#indeterminate !== undefined
  }

  /** Sends one random write: books one of the slots, or changes or removes a reservation of this client. */
  async sendRandomWrite(slots: readonly ContendedSlot[]): Promise<void> {
    const state = this.pick([...this.#own.values()].filter((one) => one !== undefined))
    const choice = this.#random()
    if (choice < 0.45 || !state) await this.add(slots)
    else if (choice < 0.52) await this.#remove(state)
    else await this.#change(state, slots)
  }

  /**
   * Books a random slot; returns the id of the new reservation, or undefined when the booking was not accepted or its
   * response was lost. With the probability `share`, the reservation is one that other clients may change.
   */
  async add(slots: readonly ContendedSlot[], share = 0): Promise<string | undefined> {
    const slot = this.pick(slots)
    assert.ok(slot)
    const { serviceId, providerId, start, end } = slot
    const customerId = this.#site.customers[this.#number] ?? ''
    const status = serviceId === this.#site.serviceId('asking') ? 'pending' : 'confirmed'
    const after = { id: '', serviceId, customerId, providerId, start, end, status }
    const mark = this.#nextMark()
    const write = { ...this.#site.booking(this.#number, slot, { data: { mark } }), key: mark }
    const reply = await this.#send({ write, id: undefined, after })
    if (reply?.status !== 200) return undefined
    const { id } = reply.body
    // The state of a shared reservation is not recorded, because other clients may change the reservation.
    if (this.#random() >= share) this.#own.set(id, { ...after, id })
    return id
  }

  /** Returns a random change: a status, the service, provider, start and end of a slot, or both. */
  randomChange(slots: readonly ContendedSlot[]): Partial<ReplayedReservation> {
    const choice = this.#random()
    const status = this.pick(['cancelled', 'confirmed', 'confirmed', 'pending'])
    if (choice < 0.5 && status) return { status }
    const slot = this.pick(slots)
    assert.ok(slot)
    const { serviceId, providerId, start, end } = slot
    const moved = { serviceId, providerId, start, end }
    return choice < 0.6 && status ? { ...moved, status } : moved
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }

  /**
   * Fails unless every unshared reservation of this client has its last acknowledged state; a reservation whose change
   * got no complete response may also have the requested state.
   */
  assertDurable(stored: ReadonlyMap<string, ReplayedReservation>): void {
    for (const id of this.lostReservations(stored)) assert.deepEqual(stored.get(id), this.#own.get(id))
  }

  /**
   * Returns the ids of this client's unshared reservations whose stored state differs from the last acknowledged one;
   * excludes a reservation whose unacknowledged change (no complete response) has taken effect.
   */
  lostReservations(stored: ReadonlyMap<string, ReplayedReservation>): string[] {
    return [...this.#own.keys()].filter((id) => {
      const found = stored.get(id)
      if (id === this.#indeterminate?.id && sameState(found, this.#indeterminate.after)) return false
      return !sameState(found, this.#own.get(id))
    })
  }

  /**
   * Repeats the write whose response was lost, with the same idempotency key. Returns `none` if there is no such
   * write; otherwise returns `had taken effect` if the service sends the stored response of the first request. Fails if
   * the write is refused for a reason other than `reasons`, if an accepted booking is not stored exactly once, if a
   * refused booking is stored, or if a booking was stored already and the response is not the stored one.
   */
  async retryIndeterminateWrite(): Promise<'none' | 'had taken effect' | 'had not taken effect'> {
    const unresolved = this.#indeterminate
    if (!unresolved) return 'none'
    const mark = unresolved.write.key ?? ''
    const before = unresolved.id === undefined ? await this.#marked(mark) : []
    const reply = await this.#site.clients.send(this.#number, unresolved.write)
    this.#indeterminate = undefined
    assertAcceptedOrNoRoom(reply, this.#reasons)
    if (reply.status === 200)
      this.#own.set(
        unresolved.id ?? reply.body.id,
        unresolved.after && { ...unresolved.after, id: unresolved.id ?? reply.body.id },
      )
    if (unresolved.id === undefined) {
      const now = await this.#marked(mark)
      assert.deepEqual(now, reply.status === 200 ? [reply.body.id] : [])
      if (before.length > 0) assert.ok(reply.replayed)
    }
    return reply.replayed ? 'had taken effect' : 'had not taken effect'
  }

  /** Fails if the write whose response was lost has taken effect; otherwise forgets the write. */
  async assertNoIndeterminateWrite(stored: ReadonlyMap<string, ReplayedReservation>): Promise<void> {
    if (!this.#indeterminate) return
    const { id, write } = this.#indeterminate
    if (id === undefined) assert.deepEqual(await this.#marked(write.key ?? ''), [])
    else assert.deepEqual(stored.get(id), this.#own.get(id))
    this.#indeterminate = undefined
  }

  async #remove({ id }: ReplayedReservation): Promise<void> {
    const write = { path: '/reservations/remove/', query: { id }, key: this.#nextMark() }
    const reply = await this.#send({ write, id, after: undefined })
    if (!reply) return
    if (reply.status === 200) this.#own.set(id, undefined)
  }

  async #change(state: ReplayedReservation, slots: readonly ContendedSlot[]): Promise<void> {
    const change = this.randomChange(slots)
    const after = { ...state, ...change }
    const write = { path: '/reservations/edit/', body: { id: state.id, ...change }, key: this.#nextMark() }
    const reply = await this.#send({ write, id: state.id, after })
    if (!reply) return
    if (change.status === 'cancelled') assert.equal(reply.status, 200)
    if (reply.status === 200) this.#own.set(state.id, after)
  }

  /**
   * Sends a write, again with its idempotency key while the service is busy and answers 503; resolves to undefined when
   * the response was lost.
   */
  async #send(sent: IndeterminateWrite): Promise<WriteResponse | undefined> {
    this.#indeterminate = sent
    const response = await whenServed<WriteResponse | LostResponse>(() =>
      this.#site.clients.attempt(this.#number, sent.write, () => this.#notify('sent')),
    )
    if ('lost' in response) {
      this.lostResponse = response.lost
      return undefined
    }
    this.#indeterminate = undefined
    assertAcceptedOrNoRoom(response, this.#reasons)
    if (response.status === 200) this.acceptedWrites += 1
    this.#notify('answered')
    return response
  }

  async #marked(mark: string): Promise<unknown[]> {
    const rows = await this.#site.sql('select id from reservation where data like ?', [`%"mark":"${mark}"%`])
    return rows.map((row) => row.id)
  }

  #nextMark(): string {
    return `${this.#name}-${this.#number}-${this.#writes++}`
  }
}

function sameState(one: ReplayedReservation | undefined, other: ReplayedReservation | undefined): boolean {
  const text = (state: ReplayedReservation | undefined) => JSON.stringify(state, Object.keys(state ?? {}).sort())
  return text(one) === text(other)
}
