import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { type Arena, assertSound, day, openArena, type Slot } from '../support/arena.ts'
import { databasesHere } from '../support/databases.ts'
import { storedReservations } from '../support/history.ts'
import { offerings } from '../support/offers.ts'
import { chance, patience, scaled, seed } from '../support/scale.ts'
import type { Service } from '../support/service.ts'
import { Witness } from '../support/witness.ts'

const stops = scaled(3)
const rows = 20_000

for (const { kind, skip } of await databasesHere()) {
  describe(`a service on ${kind} that is stopped under load`, { skip, timeout: patience }, () => {
    let arena: Arena
    let tomorrow = 0
    before(async () => {
      arena = await openArena(kind, { clients: 16, fixedClock: false, horizonDays: 3_660 })
      tomorrow = (Math.floor(Date.now() / 1000 / day) + 1) * day
    })
    after(() => arena.close())

    test('acknowledges exactly the writes that it performs, and exits with 0', async () => {
      const random = chance(seed)
      for (let stop = 0; stop < stops; stop++) {
        let left = 20 + Math.floor(random() * 100)
        const busy = Promise.withResolvers<void>()
        const notify = (what: 'sent' | 'answered') => {
          if (what === 'sent' && --left === 0) busy.resolve()
        }
        const witnesses = arena.clients.numbers.map(
          (number) => new Witness({ arena, number, random, notify, name: `${stop}` }),
        )
        const slots = await slotsOf(tomorrow + stop * day)
        const working = Promise.all(witnesses.map((witness) => workUntilStopped(witness, slots)))
        await busy.promise
        assert.equal(await arena.service.stop(), 0)
        await working
        await assertSound(arena)
        const stored = await storedReservations(arena.sql)
        for (const witness of witnesses) {
          assert.notEqual(witness.lost, 'half an answer')
          await witness.assertDoubtIsUndone(stored)
          witness.assertKept(stored)
        }
        await arena.service.restart()
      }
    })

    test('accepts no more connections, and completes its requests', async () => {
      const trio = await arena.slots('trio', { from: tomorrow, until: tomorrow + 30 * day })
      const writes = trio.slice(0, 16).map((slot, client) => arena.booking(client, slot))
      assert.equal(writes.length, 16)
      const finish = await arena.clients.begin(writes)
      const { port } = new URL(arena.service.url)
      const stopped = arena.service.stop()
      while (await accepts(Number(port)));
      const statuses = (await finish()).map((reply) => reply.status)
      assert.deepEqual([...new Set(statuses)], [200])
      const answeredAt = performance.now()
      assert.equal(await stopped, 0)
      const took = performance.now() - answeredAt
      await assertSound(arena)
      await arena.service.restart()
      assert.ok(took < 5_000, `${took} ms: it waits for requests alone, not for connections that are left open`)
    })

    test('completes a long list that is being read', async () => {
      await arena.sql(manyReservations(arena.serviceId('single'), arena.customers[0] ?? ''))
      const response = await startList(arena.service)
      const stopped = arena.service.stop()
      // Read only now: most of the list is still to be sent.
      const list = JSON.parse(await text(response))
      assert.ok(list.response.length >= rows)
      assert.equal(await stopped, 0)
      await arena.service.restart()
    })

    async function slotsOf(from: number): Promise<Slot[]> {
      const window = { from, until: from + day }
      return (await Promise.all(offerings.map(({ key }) => arena.slots(key, window)))).flat()
    }
  })
}

async function workUntilStopped(witness: Witness, slots: readonly Slot[]): Promise<void> {
  while (!witness.inDoubt) await witness.act(slots)
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Requests the list of all reservations without reading its response. */
async function startList(service: Service): Promise<IncomingMessage> {
  const headers = { Authorization: `Bearer ${service.readToken}` }
  const asked = get(`${service.root}/reservations/get/?past=true&full=true`, { headers, agent: false })
  const [response] = await once(asked, 'response')
  return response
}

function manyReservations(serviceId: string, customerId: string): string {
  return `
    insert into reservation (id, service_id, customer_id, provider_id, availability_id, start_at, end_at, status, data,
      local_start, zone, tz_version, version, created_at, updated_at)
    with recursive number (i) as (select 1 union all select i + 1 from number where i < ${rows})
    select 'r_' || i, '${serviceId}', '${customerId}', 1, '', i * 1800, i * 1800 + 1800, 'cancelled', '{}',
      '1970-01-01T00:00', 'UTC', '', 1, 0, 0 from number`
}
