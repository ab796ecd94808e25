import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { CheckingClient } from '../support/checking-client.ts'
import {
  assertConsistent,
  bookConcurrently,
  type ContendedSite,
  type ContendedSlot,
  day,
  firstBookableDay,
  openContendedSite,
} from '../support/contended-site.ts'
import { databasesHere } from '../support/databases.ts'
import { storedReservations } from '../support/log-replay.ts'
import { offerings } from '../support/offerings.ts'
import { scaled, seed, seededRandom, suiteTimeout } from '../support/scale.ts'
import type { ServiceProcess } from '../support/service.ts'

const stops = scaled(3)
const rows = 20_000

for (const { kind, skip } of await databasesHere()) {
  describe(`a service on ${kind} that is stopped under load`, { skip, timeout: suiteTimeout }, () => {
    let site: ContendedSite
    let firstDay = 0
    before(async () => {
      site = await openContendedSite(kind, { clients: 16, fixedClock: false, horizonDays: 3_660 })
      firstDay = firstBookableDay()
    })
    after(() => site.close())

    test('acknowledges exactly the writes that it performs, and exits with 0', async () => {
      const random = seededRandom(seed)
      for (let stop = 0; stop < stops; stop++) {
        let left = 20 + Math.floor(random() * 100)
        const busy = Promise.withResolvers<void>()
        const notify = (what: 'sent' | 'answered') => {
          if (what === 'sent' && --left === 0) busy.resolve()
        }
        const checkingClients = site.clients.numbers.map(
          (number) => new CheckingClient({ site, number, random, notify, name: `${stop}` }),
        )
        const slots = await slotsOf(firstDay + stop * day)
        const working = Promise.all(checkingClients.map((client) => workUntilStopped(client, slots)))
        await busy.promise
        assert.equal(await site.service.stop(), 0)
        await working
        await assertConsistent(site)
        const stored = await storedReservations(site.sql)
        for (const client of checkingClients) {
          assert.notEqual(client.lostResponse, 'half an answer')
          await client.assertNoIndeterminateWrite(stored)
          client.assertDurable(stored)
        }
        await site.service.restart()
      }
    })

    test('accepts no more connections, and completes its requests', async () => {
      const trio = await site.slots('trio', { from: firstDay, until: firstDay + 30 * day })
      // For the first bookings, the service opens its connections to PostgreSQL. If that takes long, it answers some of
      // them 503, which the test repeats; all requests that it has accepted when it is stopped must be answered 200.
      await bookConcurrently(site, trio.slice(0, 16))
      const writes = trio.slice(16, 32).map((slot, client) => site.booking(client, slot))
      assert.equal(writes.length, 16)
      const finish = await site.clients.begin(writes)
      const { port } = new URL(site.service.url)
      const stopped = site.service.stop()
      while (await accepts(Number(port)));
      const statuses = (await finish()).map((reply) => reply.status)
      assert.deepEqual([...new Set(statuses)], [200])
      const answeredAt = performance.now()
      assert.equal(await stopped, 0)
      const took = performance.now() - answeredAt
      await assertConsistent(site)
      await site.service.restart()
      assert.ok(took < 5_000, `${took} ms: it waits for requests alone, not for connections that are left open`)
    })

    test('completes a long list that is being read', async () => {
      await site.sql(manyReservations(site.serviceId('single'), site.customers[0] ?? ''))
      const response = await startList(site.service)
      const stopped = site.service.stop()
      // The response is read only after SIGTERM, when most of the list is still to be sent.
      const list = JSON.parse(await text(response))
      assert.ok(list.response.length >= rows)
      assert.equal(await stopped, 0)
      await site.service.restart()
    })

    async function slotsOf(from: number): Promise<ContendedSlot[]> {
      const window = { from, until: from + day }
      return (await Promise.all(offerings.map(({ key }) => site.slots(key, window)))).flat()
    }
  })
}

async function workUntilStopped(client: CheckingClient, slots: readonly ContendedSlot[]): Promise<void> {
  while (!client.hasIndeterminateWrite) await client.sendRandomWrite(slots)
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

/** Requests the list of all reservations; resolves to the response with its body unread. */
async function startList(service: ServiceProcess): Promise<IncomingMessage> {
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
