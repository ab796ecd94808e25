import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Arena, day, openArena } from '../support/arena.ts'
import { type BookingRequest, bookingRules } from '../support/booking-rules.ts'
import { type DatabaseKind, databasesHere } from '../support/databases.ts'
import { type Call, explain } from '../support/linear.ts'
import { offerings } from '../support/offers.ts'
import { proved } from '../support/proof.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'
import { type Ground, type Moments, Visitor } from '../support/visitor.ts'

const clients = 30
const nodes = { sqlite: 1, postgres: 3 }
/** The history consists of eras, each on its own grounds and of a minimum duration. */
const eras = scaled(2)
const era = { milliseconds: 2_000, calls: 300, customers: 8 }
const erasBetweenKills = 30
/** Providers who share appointments, and so must be checked together. */
const together = [[1], [2], [3], [7, 8, 9], [10], [11]]

for (const { kind, skip } of await databasesHere()) {
  describe(`the history of ${clients} clients on ${kind}`, { skip, timeout: patience }, () => {
    let arena: Arena
    let grounds: Ground[][] = []
    before(async () => {
      const customers = eras * era.customers
      arena = await openArena(kind, { clients, customers, fixedClock: false, horizonDays: 3_660, nodes: nodes[kind] })
      const tomorrow = (Math.floor(Date.now() / 1000 / day) + 1) * day
      for (let number = 0; number < eras; number++)
        grounds.push(await groundsOf(arena, number, tomorrow + number * day))
    })
    after(() => arena.close())

    test('is linearizable, with connections cut and nodes killed', async (t) => {
      const random = chance(seed)
      const moments: Moments = { last: 0 }
      const course = new Course(arena, random)
      const visitors = arena.clients.numbers.map(
        (number) => new Visitor({ node: nodeOf(arena, number), name: `c${number}`, random, moments }),
      )
      await Promise.all(visitors.map((visitor, number) => roam(visitor, number, course, random)))
      await course.up()
      for (const ground of grounds.flat()) await listFinally(visitors, ground)
      for (const visitor of visitors) visitor.close()
      report(t, kind, visitors, course.kills)
      assertSharp(grounds.flat(), arena)
      grounds = []
    })

    async function roam(visitor: Visitor, number: number, course: Course, random: () => number): Promise<void> {
      for (let now = await course.turn(number); now !== undefined; now = await course.turn(number)) {
        const own = number % nodes[kind]
        const here = (grounds[now] ?? []).filter(({ node }) => node === undefined || node === own)
        const ground = here[Math.floor(random() * here.length)]
        assert.ok(ground)
        await visitor.act(ground)
      }
    }

    function report(t: TestContext, on: DatabaseKind, visitors: readonly Visitor[], kills: number): void {
      const all = grounds.flat()
      const rules = bookingRules(arena.rooms)
      const counted = { violations: 0, undecided: 0, steps: 0 }
      const faults: string[] = []
      for (const [number, ground] of all.entries()) {
        const { verdict, steps, stuck } = explain(relevantCalls(ground), rules)
        counted.steps += steps
        if (verdict === 'impossible') counted.violations += 1
        if (verdict === 'undecided') counted.undecided += 1
        if (verdict !== 'explained')
          faults.push(`history ${number} is ${verdict} from ${stuck.map(briefly).join('; ')}`)
      }
      const calls = all.flatMap((ground) => ground.calls)
      proved(t, `B3 ${on}`, {
        calls: calls.length,
        histories: all.length,
        unanswered: calls.filter(({ answer }) => !answer).length,
        cuts: visitors.reduce((sum, { cuts }) => sum + cuts, 0),
        kills,
        ...counted,
      })
      assert.deepEqual(faults, [])
      assert.ok(kills > 0)
    }
  })
}

/** The progress of the history: an era ends after enough time and enough calls. */
class Course {
  readonly #arena: Arena
  readonly #random: () => number
  readonly #back: Promise<void>[] = []
  #era = 0
  #calls = 0
  #since = performance.now()
  #strikeAt: number
  kills = 0

  constructor(arena: Arena, random: () => number) {
    this.#arena = arena
    this.#random = random
    this.#strikeAt = this.#anyCall()
  }

  /** Returns the era of this client's next call, once its node is up; undefined at the end. */
  async turn(client: number): Promise<number | undefined> {
    await this.#back[client % this.#arena.nodes.length]
    if (++this.#calls === this.#strikeAt) this.#strike()
    if (this.#calls >= era.calls && performance.now() - this.#since >= era.milliseconds) this.#next()
    return this.#era < eras ? this.#era : undefined
  }

  /** Resolves when every node is up. */
  async up(): Promise<void> {
    await Promise.all(this.#back)
  }

  #next(): void {
    this.#era += 1
    this.#calls = 0
    this.#since = performance.now()
    this.#strikeAt = this.#era % erasBetweenKills === 0 ? this.#anyCall() : -1
  }

  #anyCall(): number {
    return 50 + Math.floor(this.#random() * (era.calls - 50))
  }

  #strike(): void {
    const index = Math.floor(this.#random() * this.#arena.nodes.length)
    const node = nodeOf(this.#arena, index)
    this.kills += 1
    this.#back[index] = node.kill().then(() => node.restart())
  }
}

function nodeOf({ nodes }: Arena, number: number) {
  const node = nodes[number % nodes.length]
  assert.ok(node)
  return node
}

async function groundsOf(arena: Arena, number: number, from: number): Promise<Ground[]> {
  const window = { from, until: from + 3 * 3_600 }
  const customers = arena.customers.slice(number * era.customers, (number + 1) * era.customers)
  const slots = await Promise.all(
    offerings
      .filter(({ mode }) => mode !== 'round_robin')
      .flatMap(({ key, mode, providers }) =>
        (mode === 'collective' ? providers.slice(0, 1) : providers).map((provider) =>
          arena.slots(key, { ...window, provider }),
        ),
      ),
  )
  const places = slots.flat().map(({ availabilityId, serviceId, providerId, start, end }) => ({
    ...{ availabilityId, serviceId, providerId, start, end },
  }))
  return together.map((providers, index) => ({
    node: arena.nodes.length === 1 ? 0 : index % 2 === 0 ? (index / 2) % arena.nodes.length : undefined,
    places: places.filter(({ providerId }) => providers.includes(providerId)),
    customers,
    asking: arena.serviceId('asking'),
    calls: [],
    ids: new Map(),
  }))
}

/** Lists the final state of a ground, by any visitor that gets a response. */
async function listFinally(visitors: readonly Visitor[], ground: Ground): Promise<void> {
  for (const visitor of visitors) if (await visitor.list(ground)) return
  assert.fail('Nobody was answered.')
}

/**
 * Omits calls that cannot have happened before the last listing: new reservations without a response that no list has
 * ever contained. An unknown reservation cannot have been removed. Each call that remains doubles the orders to try.
 */
function relevantCalls({ calls, ids }: Ground): Call<BookingRequest>[] {
  return calls.filter(({ answer, asked }) => answer || asked.ask !== 'add' || ids.has(asked.mark))
}

function briefly({ asked, began, answer }: Call<BookingRequest>): string {
  const what = asked.ask === 'slots' ? { ask: 'slots', of: asked.places[0] } : asked
  return `${JSON.stringify(what)}, asked at ${began}, told at ${answer?.at} ${JSON.stringify(answer?.said)}`
}

/** Fails if a history is still linearizable when one reservation is removed from the last listing. */
function assertSharp(grounds: readonly Ground[], { rooms }: Arena): void {
  const unanswered = (calls: readonly Call<BookingRequest>[]) => calls.filter(({ answer }) => !answer).length
  const changed = grounds.map((ground) => withoutOne(relevantCalls(ground))).filter((calls) => calls !== undefined)
  assert.ok(changed.length > 0)
  // Proving that there is no valid order requires trying all: each call without a response doubles their number.
  const simplest = changed.sort((one, other) => unanswered(one) - unanswered(other)).slice(0, 3)
  const verdicts = simplest.map((calls) => explain(calls, bookingRules(rooms)).verdict)
  assert.ok(!verdicts.includes('explained') && verdicts.includes('impossible'), verdicts.join(', '))
}

/** Removes one reservation from the last list: one that no call without a response may have touched. */
function withoutOne(calls: readonly Call<BookingRequest>[]): Call<BookingRequest>[] | undefined {
  const last = calls.at(-1)
  assert.ok(last?.answer)
  const doubtful = new Set(calls.filter(({ answer }) => !answer).map(({ asked }) => 'mark' in asked && asked.mark))
  const rows = last.answer.said.split('\n')
  const forgotten = rows.find((row) => row !== '' && !doubtful.has(row.split(' ')[0] ?? ''))
  if (forgotten === undefined) return undefined
  const said = rows.filter((row) => row !== forgotten).join('\n')
  return [...calls.slice(0, -1), { ...last, answer: { ...last.answer, said } }]
}
