import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { ClientWrite, LostResponse, WriteResponse } from '../support/concurrent-clients.ts'
import {
  assertAcceptedOrNoRoom,
  assertConsistent,
  type ContendedSite,
  type ContendedSlot,
  day,
  firstBookableDay,
  nodesOf,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { storedReservations } from '../support/log-replay.ts'
import { proved } from '../support/proof.ts'
import { scale, scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import type { ServiceProcess } from '../support/service.ts'

// A kill takes longer on PostgreSQL, so `npm test` has two. The proof has 400 on SQLite and 500 on PostgreSQL.
const kills = { sqlite: scaled(8), postgres: scale > 1 ? scaled(10) : 2 }
const writesEach = 7
const callsEach = 7
/**
 * When the service is killed: after all writes have been sent, after a commit is visible in the database, or after the
 * first response.
 */
const moments = ['sent', 'committed', 'committed', 'answered'] as const

for (const { kind, skip } of await databasesHere()) {
  describe(`a write on ${kind} that is repeated after a kill`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    let slots: ContendedSlot[] = []
    before(async () => {
      site = await openContendedSite(kind, {
        clients: writesEach * callsEach,
        fixedClock: false,
        horizonDays: 3_660,
        nodes: nodesOf(kind),
      })
    })
    after(() => site.close())

    test(`has one effect and one response, ${kills[kind]} times`, async (t) => {
      const random = seededRandom(seed)
      const figures = {
        kills: 0,
        writes: 0,
        decided: 0,
        'answers swallowed': 0,
        'calls again': 0,
        duplicates: 0,
        lost: 0,
      }
      for (let kill = 0; kill < kills[kind]; kill++) {
        const moment = moments[kill % moments.length] ?? 'sent'
        const writes = await writesOf(kill, random)
        const node = site.nodes[kill % site.nodes.length]
        assert.ok(node)
        const first = await killed(node, writes, moment, random)
        await node.restart()
        const decided = await Promise.all(writes.map(wasDecided))
        const again = await sentAgain(writes)
        for (const [n, write] of writes.entries()) {
          const answers = again.filter((_, call) => call % writesEach === n)
          await assertOne(write, { first: first[n], decided: decided[n] === true, answers })
        }
        await assertConsistent(site)
        figures.kills++
        figures.writes += writes.length
        figures.decided += decided.filter(Boolean).length
        figures['answers swallowed'] += first.filter((one) => 'lost' in one).length
        figures['calls again'] += again.length
      }
      proved(t, `B5 ${kind} kills`, figures)
      assert.ok(figures.decided > 0, 'no write was decided before a kill: nothing was tried')
    })

    /**
     * Returns seven writes: bookings of slots with one or with three seats and, if there is a reservation that is not
     * cancelled, its cancellation.
     */
    async function writesOf(round: number, random: () => number): Promise<ClientWrite[]> {
      if (slots.length < writesEach) slots = [...slots, ...(await moreSlots())]
      const picked = slots.splice(0, writesEach - 1)
      const twice = picked[0]
      assert.ok(twice)
      const bookings = [...picked, twice].map((slot, client) => {
        const key = `${round}-${client}`
        return { ...site.booking(client, slot, { data: { mark: key } }), key }
      })
      const there = [...(await storedReservations(site.sql)).values()].filter(({ status }) => status !== 'cancelled')
      const one = there[Math.floor(random() * there.length)]
      if (!one) return bookings
      const cancel = { path: '/reservations/edit/', body: { id: one.id, status: 'cancelled' } }
      // The cancellation replaces the second booking, because the first and the last booking compete for one slot.
      return [...bookings.toSpliced(1, 1), { ...cancel, key: `${round}-cancel` }]
    }

    let days = 0
    async function moreSlots(): Promise<ContendedSlot[]> {
      const from = firstBookableDay() + days++ * day
      const window = { from, until: from + day }
      return [...(await site.slots('single', { ...window, provider: 1 })), ...(await site.slots('trio', window))]
    }

    /**
     * Sends all writes and kills one node at a moment; returns, for each write, the response that arrived before the
     * kill, or that none or only a part of one arrived.
     */
    async function killed(
      node: ServiceProcess,
      writes: readonly ClientWrite[],
      moment: (typeof moments)[number],
      random: () => number,
    ) {
      const committed = commits()
      let left = writes.length
      const sent = Promise.withResolvers<void>()
      const answered = Promise.withResolvers<void>()
      const answers = writes.map((write, client) => {
        const response = site.clients.attempt(client, write, () => --left === 0 && sent.resolve())
        void response.then(() => answered.resolve())
        return response
      })
      await sent.promise
      if (moment === 'committed') await Promise.race([committed(), Promise.all(answers)])
      if (moment === 'answered') await answered.promise
      if (moment === 'sent') for (let turns = random() * 20; turns > 0; turns--) await new Promise(setImmediate)
      await node.kill()
      return Promise.all(answers)
    }

    /**
     * Returns a function that waits, for at most 5 seconds, until a write with an idempotency key has been committed
     * since the call of `commits`. On SQLite the function does not yield to the event loop, so that no response is read
     * before the kill.
     */
    function commits(): () => Promise<void> {
      const question = 'select count(*) as n from idempotency'
      if (kind === 'sqlite') {
        const database = new DatabaseSync(join(site.service.dataDir, 'daybook.db'), { readOnly: true })
        const count = () => database.prepare(question).get()?.n
        const before = count()
        return async () => {
          for (const until = performance.now() + 5_000; count() === before && performance.now() < until; );
          database.close()
        }
      }
      const count = async () => (await site.sql(question))[0]?.n
      const before = count()
      return async () => {
        for (
          const until = performance.now() + 5_000;
          (await count()) === (await before) && performance.now() < until;
        );
      }
    }

    /**
     * Sends every write again, each by seven clients concurrently. A write is repeated once more when it is refused
     * with 409 because another one with its key is in progress.
     */
    async function sentAgain(writes: readonly ClientWrite[]): Promise<WriteResponse[]> {
      const calls = site.clients.numbers.flatMap((client) => writes[client % writesEach] ?? [])
      const replies = await site.clients.sendConcurrently(calls)
      return Promise.all(
        replies.map(async (reply, client) => {
          const write = calls[client]
          if (reply.status !== 409 || !write) return reply
          assert.equal(reply.body.reason, 'idempotency_in_progress')
          return site.clients.send(client, write)
        }),
      )
    }

    async function wasDecided({ key = '' }: ClientWrite): Promise<boolean> {
      return (await site.sql('select 1 from idempotency where key = ?', [key])).length > 0
    }

    interface Outcome {
      readonly first: WriteResponse | LostResponse | undefined
      readonly decided: boolean
      readonly answers: readonly WriteResponse[]
    }

    async function assertOne({ key = '', path }: ClientWrite, { first, decided, answers }: Outcome): Promise<void> {
      const [response] = answers
      assert.ok(response)
      assert.equal(answers.length, callsEach)
      for (const one of answers) assert.deepEqual(one.body, response.body)
      assert.equal(answers.filter(({ replayed }) => !replayed).length, decided ? 0 : 1, 'done once')
      assertAcceptedOrNoRoom(response)
      if (first && !('lost' in first)) {
        assert.deepEqual(first.body, response.body)
        assert.ok(decided, 'what was answered was kept')
      }
      if (path !== '/reservations/add/') return
      const rows = await site.sql('select id from reservation where data like ?', [`%"mark":"${key}"%`])
      assert.deepEqual(
        rows.map(({ id }) => id),
        response.status === 200 ? [response.body.id] : [],
      )
    }
  })
}
