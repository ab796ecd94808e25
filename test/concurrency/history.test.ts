import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type BookingRequest, bookingSpecification } from '../support/booking-specification.ts'
import { type ContendedSite, day, firstBookableDay, openContendedSite } from '../support/contended-site.ts'
import { type DatabaseKind, databasesHere } from '../support/databases.ts'
import { checkLinearizability, type RecordedCall } from '../support/linearizability.ts'
import { offerings } from '../support/offerings.ts'
import { proved } from '../support/proof.ts'
import { type CallCounter, RandomClient, type SlotGroup } from '../support/random-client.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'

const clients = 30
const nodes = { sqlite: 1, postgres: 3 }
/**
 * The number of consecutive rounds of the history; each round has its own slots, a minimum duration and a minimum
 * number of calls.
 */
const rounds = scaled(2)
const minimum = { milliseconds: 2_000, calls: 300, customers: 8 }
const roundsBetweenKills = 30
/**
 * The ids of providers in groups. Appointments can compete for time only within a group, so each group has a history of
 * calls that is checked by itself.
 */
const together = [[1], [2], [3], [7, 8, 9], [10], [11]]

for (const { kind, skip } of await databasesHere()) {
  describe(`the history of ${clients} clients on ${kind}`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    let groups: SlotGroup[][] = []
    before(async () => {
      const customers = rounds * minimum.customers
      site = await openContendedSite(kind, {
        clients,
        customers,
        fixedClock: false,
        horizonDays: 3_660,
        nodes: nodes[kind],
      })
      const firstDay = firstBookableDay()
      for (let number = 0; number < rounds; number++)
        groups.push(await slotGroupsOf(site, number, firstDay + number * day))
    })
    after(() => site.close())

    test('is linearizable, with connections cut and nodes killed', async (t) => {
      const random = seededRandom(seed)
      const counter: CallCounter = { last: 0 }
      const progress = new HistoryProgress(site, random)
      const randomClients = site.clients.numbers.map(
        (number) => new RandomClient({ node: nodeOf(site, number), name: `c${number}`, random, counter }),
      )
      await Promise.all(randomClients.map((client, number) => callUntilEnd(client, number, progress, random)))
      await progress.restarted()
      for (const group of groups.flat()) await listFinally(randomClients, group)
      for (const client of randomClients) client.close()
      report(t, kind, randomClients, progress.kills)
      assertDetectsViolation(groups.flat(), site)
      groups = []
    })

    async function callUntilEnd(
      client: RandomClient,
      number: number,
      progress: HistoryProgress,
      random: () => number,
    ): Promise<void> {
      for (let now = await progress.nextRound(number); now !== undefined; now = await progress.nextRound(number)) {
        const own = number % nodes[kind]
        const here = (groups[now] ?? []).filter(({ node }) => node === undefined || node === own)
        const group = here[Math.floor(random() * here.length)]
        assert.ok(group)
        await client.makeRandomCall(group)
      }
    }

    function report(t: TestContext, on: DatabaseKind, randomClients: readonly RandomClient[], kills: number): void {
      const all = groups.flat()
      const rules = bookingSpecification(site.occupancyRules)
      const counted = { violations: 0, undecided: 0, steps: 0 }
      const faults: string[] = []
      for (const [number, group] of all.entries()) {
        const { verdict, steps, stuck } = checkLinearizability(relevantCalls(group), rules)
        counted.steps += steps
        if (verdict === 'not linearizable') counted.violations += 1
        if (verdict === 'undecided') counted.undecided += 1
        if (verdict !== 'linearizable')
          faults.push(`history ${number} is ${verdict} from ${stuck.map(briefly).join('; ')}`)
      }
      const calls = all.flatMap((group) => group.calls)
      proved(t, `B3 ${on}`, {
        calls: calls.length,
        histories: all.length,
        unanswered: calls.filter(({ response }) => !response).length,
        cuts: randomClients.reduce((sum, { cuts }) => sum + cuts, 0),
        kills,
        ...counted,
      })
      assert.deepEqual(faults, [])
      assert.ok(kills > 0)
    }
  })
}

/**
 * The progress of the history: the current round, which ends after a minimum time and number of calls, and the number
 * of nodes that were killed.
 */
class HistoryProgress {
  readonly #site: ContendedSite
  readonly #random: () => number
  readonly #restarts: Promise<void>[] = []
  #round = 0
  #calls = 0
  #since = performance.now()
  #killAt: number
  kills = 0

  constructor(site: ContendedSite, random: () => number) {
    this.#site = site
    this.#random = random
    this.#killAt = this.#anyCall()
  }

  /**
   * Returns the number of the round for a client's next call, from 0, once the client's node is running; undefined
   * after the last round. Counts the call, and may kill a node or begin the next round.
   */
  async nextRound(client: number): Promise<number | undefined> {
    await this.#restarts[client % this.#site.nodes.length]
    if (++this.#calls === this.#killAt) this.#killNode()
    if (this.#calls >= minimum.calls && performance.now() - this.#since >= minimum.milliseconds) this.#next()
    return this.#round < rounds ? this.#round : undefined
  }

  /** Resolves when every killed node is running again. */
  async restarted(): Promise<void> {
    await Promise.all(this.#restarts)
  }

  #next(): void {
    this.#round += 1
    this.#calls = 0
    this.#since = performance.now()
    this.#killAt = this.#round % roundsBetweenKills === 0 ? this.#anyCall() : -1
  }

  #anyCall(): number {
    return 50 + Math.floor(this.#random() * (minimum.calls - 50))
  }

  #killNode(): void {
    const index = Math.floor(this.#random() * this.#site.nodes.length)
    const node = nodeOf(this.#site, index)
    this.kills += 1
    this.#restarts[index] = node.kill().then(() => node.restart())
  }
}

function nodeOf({ nodes }: ContendedSite, number: number) {
  const node = nodes[number % nodes.length]
  assert.ok(node)
  return node
}

async function slotGroupsOf(site: ContendedSite, number: number, from: number): Promise<SlotGroup[]> {
  const window = { from, until: from + 3 * 3_600 }
  const customers = site.customers.slice(number * minimum.customers, (number + 1) * minimum.customers)
  const lists = await Promise.all(
    offerings
      .filter(({ mode }) => mode !== 'round_robin')
      .flatMap(({ key, mode, providers }) =>
        (mode === 'collective' ? providers.slice(0, 1) : providers).map((provider) =>
          site.slots(key, { ...window, provider }),
        ),
      ),
  )
  const slots = lists.flat().map(({ availabilityId, serviceId, providerId, start, end }) => ({
    ...{ availabilityId, serviceId, providerId, start, end },
  }))
  return together.map((providers, index) => ({
    node: site.nodes.length === 1 ? 0 : index % 2 === 0 ? (index / 2) % site.nodes.length : undefined,
    slots: slots.filter(({ providerId }) => providers.includes(providerId)),
    customers,
    approvalServiceId: site.serviceId('asking'),
    calls: [],
    ids: new Map(),
  }))
}

/**
 * Lists the final reservations of one group of slots through the first client that gets a response; fails when none
 * does.
 */
async function listFinally(randomClients: readonly RandomClient[], group: SlotGroup): Promise<void> {
  for (const client of randomClients) if (await client.list(group)) return
  assert.fail('Nobody was answered.')
}

/**
 * Returns all calls except additions without a response whose reservation appeared in no list: such an addition did not
 * take effect before the last list. Omitting them shortens the search, because each unanswered call doubles the number
 * of orders to try.
 */
function relevantCalls({ calls, ids }: SlotGroup): RecordedCall<BookingRequest>[] {
  return calls.filter(({ response, request }) => response || request.kind !== 'add' || ids.has(request.mark))
}

function briefly({ request, began, response }: RecordedCall<BookingRequest>): string {
  const what = request.kind === 'slots' ? { kind: 'slots', of: request.slots[0] } : request
  return `${JSON.stringify(what)}, called at ${began}, answered at ${response?.at} ${JSON.stringify(response?.text)}`
}

/**
 * Removes one reservation from the last list of each group's history, and searches up to three of these changed
 * histories. Fails if the search finds a valid order for one of them, or is undecided about all.
 */
function assertDetectsViolation(groups: readonly SlotGroup[], { occupancyRules }: ContendedSite): void {
  const unanswered = (calls: readonly RecordedCall<BookingRequest>[]) =>
    calls.filter(({ response }) => !response).length
  const changed = groups.map((group) => withoutOne(relevantCalls(group))).filter((calls) => calls !== undefined)
  assert.ok(changed.length > 0)
  // Only the three histories with the fewest unanswered calls are searched: to show that no order is valid, the search
  // must rule out all orders, and each unanswered call at least doubles their number.
  const simplest = changed.sort((one, other) => unanswered(one) - unanswered(other)).slice(0, 3)
  const verdicts = simplest.map((calls) => checkLinearizability(calls, bookingSpecification(occupancyRules)).verdict)
  assert.ok(!verdicts.includes('linearizable') && verdicts.includes('not linearizable'), verdicts.join(', '))
}

/**
 * Returns the calls with one reservation left out of the last list, chosen among those that no unanswered call may have
 * changed; undefined when there is no such reservation.
 */
function withoutOne(calls: readonly RecordedCall<BookingRequest>[]): RecordedCall<BookingRequest>[] | undefined {
  const last = calls.at(-1)
  assert.ok(last?.response)
  const doubtful = new Set(
    calls.filter(({ response }) => !response).map(({ request }) => 'mark' in request && request.mark),
  )
  const rows = last.response.text.split('\n')
  const forgotten = rows.find((row) => row !== '' && !doubtful.has(row.split(' ')[0] ?? ''))
  if (forgotten === undefined) return undefined
  const text = rows.filter((row) => row !== forgotten).join('\n')
  return [...calls.slice(0, -1), { ...last, response: { ...last.response, text } }]
}
