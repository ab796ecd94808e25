import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { standardSite } from '../support/clinic.ts'
import { databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { scaled } from '../support/scale.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { type AvailableSlot, present } from '../support/test-site.ts'
import { untilRefused } from '../support/until-refused.ts'

const [, { skip = false } = {}] = await databasesHere()
const day = 86_400

/** Tests of three nodes (service processes) that share one database, and of one node of another site. */
describe('nodes of one site', { skip }, () => {
  let fresh: FreshDatabase[]
  let nodes: readonly ServiceProcess[]
  let stranger: ServiceProcess
  before(async () => {
    fresh = [await freshDatabase('postgres'), await freshDatabase('postgres')]
    const [own, other] = fresh.map(({ at }) => ('databaseUrl' in at ? at.databaseUrl : ''))
    const first = await startService({ site: standardSite, databaseUrl: present(own) })
    const others = await Promise.all([0, 1].map(() => startService({ databaseUrl: present(own), beside: first })))
    nodes = [first, ...others]
    stranger = await startService({ site: standardSite, databaseUrl: present(other) })
  })
  after(async () => {
    for (const service of [...nodes, stranger]) await service.kill()
    for (const one of fresh) await one.remove()
  })

  test('a revoked token is refused on every node a second later', async (own) => {
    const rounds = scaled(3)
    let worst = 0
    for (let round = 0; round < rounds; round += 1) {
      const [first] = nodes
      const made = await present(first).daybook('token', 'create', '--name', `n${round}`, '--scope', 'read')
      const token = made.stdout.trim()
      const status = async (node: ServiceProcess) => (await node.call('GET', '/auth/verify/', { token })).status
      for (const node of nodes) assert.equal(await status(node), 200)
      const list = (await present(first).daybook('token', 'list')).stdout
      const line = list.split('\n').find((one) => one.split('\t')[1] === `n${round}`)
      assert.equal((await present(first).daybook('token', 'revoke', line?.split('\t')[0] ?? '')).code, 0)
      const revokedAt = performance.now()
      const late = { since: revokedAt, within: 1000, late: 'A node took the token more than a second after.' }
      for (const node of nodes)
        worst = Math.max(worst, await untilRefused(async () => (await status(node)) === 401, late))
    }
    proved(own, 'A1', { revocations: rounds, nodes: nodes.length, 'worst ms taken after': Math.round(worst) })
  })

  test('a slot listed by one node is booked on any other, and at no other site', async (own) => {
    const now = Math.floor(Date.now() / 1000)
    const first = present(nodes[0])
    const idOf = async (node: ServiceProcess, path: string, name: string) =>
      present((await node.call('GET', path)).body.response.find((row) => row.name === name)).id
    const serviceId = await idOf(first, '/services/get/', 'group')
    // Tomorrow is the earliest, because a slot of today could begin before it is booked.
    const query = { min_timestamp: now + day, max_timestamp: now + 21 * day, services: serviceId, providers: 1 }
    const listed = async (node: ServiceProcess) =>
      (await node.call<{ response: AvailableSlot[] }>('GET', '/availability/get/', { query })).body.response
    const booking = async (node: ServiceProcess, slot: AvailableSlot, ids: { serviceId: string }) => {
      const { availabilityId, providerId, start, end } = slot
      const customerId = await idOf(node, '/customers/get/', 'Jo')
      const sent = { availabilityId, providerId, start, end, customerId, ...ids }
      return node.call('POST', '/reservations/add/', { body: sent })
    }
    const elsewhere = { serviceId: await idOf(stranger, '/services/get/', 'group') }
    const lists = await Promise.all(nodes.map(listed))
    const count = scaled(6)
    for (let n = 0; n < count; n += 1) {
      const slot = present(lists[n % nodes.length]?.[n])
      const next = present(nodes[(n + 1 + (n % (nodes.length - 1))) % nodes.length])
      const foreign = await booking(stranger, slot, elsewhere)
      assert.deepEqual([foreign.status, foreign.body.reason], [403, 'slot_invalid'])
      assert.equal((await booking(next, slot, { serviceId })).status, 200)
    }
    proved(own, 'B4 nodes', { slots: count, 'taken elsewhere': 0 })
  })
})
