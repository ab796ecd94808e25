import assert from 'node:assert/strict'
import { type Arena, assertAcceptedOrNoRoom, noRoom, type Slot } from './arena.ts'
import type { State } from './history.ts'
import type { Lost, Reply, Write } from './race.ts'

/** A write whose response was lost: it may have happened completely or not at all. */
interface Doubt {
  readonly write: Write
  /** The id of the reservation; undefined for a new one. */
  readonly id: string | undefined
  readonly after: State | undefined
}

/** The options of a witness. */
export interface WitnessOptions {
  readonly arena: Arena
  readonly number: number
  readonly random: () => number
  /** Distinguishes its marks from those of earlier witnesses. */
  readonly name?: string
  /** Accepted refusals in addition to lack of room. */
  readonly reasons?: readonly string[]
  /** Called when a write was sent, and when its response has arrived. */
  readonly notify?: (what: 'sent' | 'answered') => void
}

/** A client that adds, edits and removes reservations at random, and knows from each response the state of its own. */
export class Witness {
  readonly #arena: Arena
  readonly #number: number
  readonly #random: () => number
  readonly #name: string
  readonly #reasons: readonly string[]
  readonly #notify: (what: 'sent' | 'answered') => void
  /** The last acknowledged state of each own reservation; undefined for a removed one. */
  readonly #own = new Map<string, State | undefined>()
  #writes = 0
  #doubt: Doubt | undefined
  /** The number of writes that were answered 200. */
  done = 0
  /** How the connection of the last write ended, if its response was lost. */
  lost: Lost['lost'] | undefined

  constructor({ arena, number, random, name = '', reasons = noRoom, notify = () => {} }: WitnessOptions) {
    this.#arena = arena
    this.#number = number
    this.#random = random
    this.#name = name
    this.#reasons = reasons
    this.#notify = notify
  }

  /** Whether a write was lost or refused with 503; the client does nothing until that is settled. */
  get inDoubt(): boolean {
    return this.#doubt !== undefined
  }

  /** Makes one random write among these slots. */
  async act(slots: readonly Slot[]): Promise<void> {
    const state = this.pick([...this.#own.values()].filter((one) => one !== undefined))
    const choice = this.#random()
    if (choice < 0.45 || !state) await this.add(slots)
    else if (choice < 0.52) await this.#remove(state)
    else await this.#change(state, slots)
  }

  /** Books one of the slots; returns the id of the new reservation, unless it was refused or lost. */
  async add(slots: readonly Slot[], share = 0): Promise<string | undefined> {
    const slot = this.pick(slots)
    assert.ok(slot)
    const { serviceId, providerId, start, end } = slot
    const customerId = this.#arena.customers[this.#number] ?? ''
    const status = serviceId === this.#arena.serviceId('asking') ? 'pending' : 'confirmed'
    const after = { id: '', serviceId, customerId, providerId, start, end, status }
    const mark = this.#nextMark()
    const write = { ...this.#arena.booking(this.#number, slot, { data: { mark } }), key: mark }
    const reply = await this.#send({ write, id: undefined, after })
    if (reply?.status !== 200) return undefined
    const { id } = reply.body
    // A shared reservation may be changed by other clients, so its state is unknown.
    if (this.#random() >= share) this.#own.set(id, { ...after, id })
    return id
  }

  /** Another status, another slot with all of its fields, or both. */
  anyChange(slots: readonly Slot[]): Partial<State> {
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
   * Fails unless every own reservation has its last acknowledged state; the one with a lost response may also have the
   * requested state.
   */
  assertKept(stored: ReadonlyMap<string, State>): void {
    for (const id of this.forgotten(stored)) assert.deepEqual(stored.get(id), this.#own.get(id))
  }

  /** Returns the own reservations whose stored state differs from the last acknowledged one. */
  forgotten(stored: ReadonlyMap<string, State>): string[] {
    return [...this.#own.keys()].filter((id) => {
      const found = stored.get(id)
      if (id === this.#doubt?.id && sameState(found, this.#doubt.after)) return false
      return !sameState(found, this.#own.get(id))
    })
  }

  /**
   * Repeats the write whose response was lost, with the same idempotency key. The write must be answered and, if
   * accepted, have happened exactly once. Returns whether it had happened before.
   */
  async settle(): Promise<'nothing in doubt' | 'had happened' | 'had not happened'> {
    const doubt = this.#doubt
    if (!doubt) return 'nothing in doubt'
    const mark = doubt.write.key ?? ''
    const before = doubt.id === undefined ? await this.#marked(mark) : []
    const reply = await this.#arena.clients.ask(this.#number, doubt.write)
    this.#doubt = undefined
    assertAcceptedOrNoRoom(reply, this.#reasons)
    if (reply.status === 200)
      this.#own.set(doubt.id ?? reply.body.id, doubt.after && { ...doubt.after, id: doubt.id ?? reply.body.id })
    if (doubt.id === undefined) {
      const now = await this.#marked(mark)
      assert.deepEqual(now, reply.status === 200 ? [reply.body.id] : [])
      if (before.length > 0) assert.ok(reply.replayed)
    }
    return reply.replayed ? 'had happened' : 'had not happened'
  }

  /** Fails if the write without a response has taken effect. */
  async assertDoubtIsUndone(stored: ReadonlyMap<string, State>): Promise<void> {
    if (!this.#doubt) return
    const { id, write } = this.#doubt
    if (id === undefined) assert.deepEqual(await this.#marked(write.key ?? ''), [])
    else assert.deepEqual(stored.get(id), this.#own.get(id))
    this.#doubt = undefined
  }

  async #remove({ id }: State): Promise<void> {
    const write = { path: '/reservations/remove/', query: { id }, key: this.#nextMark() }
    const reply = await this.#send({ write, id, after: undefined })
    if (!reply) return
    if (reply.status === 200) this.#own.set(id, undefined)
  }

  async #change(state: State, slots: readonly Slot[]): Promise<void> {
    const change = this.anyChange(slots)
    const after = { ...state, ...change }
    const write = { path: '/reservations/edit/', body: { id: state.id, ...change }, key: this.#nextMark() }
    const reply = await this.#send({ write, id: state.id, after })
    if (!reply) return
    if (change.status === 'cancelled' && reply.status !== 503) assert.equal(reply.status, 200)
    if (reply.status === 200) this.#own.set(state.id, after)
  }

  async #send(doubt: Doubt): Promise<Reply | undefined> {
    this.#doubt = doubt
    const response: Reply | Lost = await this.#arena.clients.attempt(this.#number, doubt.write, () =>
      this.#notify('sent'),
    )
    if ('lost' in response) {
      this.lost = response.lost
      return undefined
    }
    if (response.status === 503) return response
    this.#doubt = undefined
    assertAcceptedOrNoRoom(response, this.#reasons)
    if (response.status === 200) this.done += 1
    this.#notify('answered')
    return response
  }

  async #marked(mark: string): Promise<unknown[]> {
    const rows = await this.#arena.sql('select id from reservation where data like ?', [`%"mark":"${mark}"%`])
    return rows.map((row) => row.id)
  }

  #nextMark(): string {
    return `${this.#name}-${this.#number}-${this.#writes++}`
  }
}

function sameState(one: State | undefined, other: State | undefined): boolean {
  const text = (state: State | undefined) => JSON.stringify(state, Object.keys(state ?? {}).sort())
  return text(one) === text(other)
}
