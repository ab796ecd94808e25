import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findTraces, isErasedSince } from '../../src/customers/erasure/traces.sql.ts'
import { InProcessSite, resultOf } from '../support/in-process-site.ts'

// Earlier versions could undo the removal of a customer who was merged into another. The event log of a site may
// therefore contain the merge of a customer who exists again.
let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

const add = async (name: string, id?: string) => {
  const added = { name, email: `${name}@list.example`, createUser: false, ...(id !== undefined && { id }) }
  return resultOf(await site.perform('customers.add', added)).id
}
const merge = async (id: string, from: string) => resultOf(await site.perform('customers.merge', { id, from }))
const erase = async (id: string) => resultOf(await site.perform('customers.erase', { id }))
const log = async () => JSON.stringify(await site.reads.build.selectFrom('event').select('body').execute())

test('a customer is erased who was merged into another and back', async () => {
  const [one, two] = [await add('one'), await add('two')]
  await merge(one, two)
  await add('two', two)
  await merge(two, one)
  assert.deepEqual((await findTraces(site.reads, two)).customerIds.toSorted(), [one, two].toSorted())
  await erase(two)
  assert.doesNotMatch(await log(), /(?:one|two)@list/)
  for (const id of [one, two]) assert.ok(await isErasedSince(site.reads, id, 0))
})

test('erasing a customer spares one who was merged into that customer and exists again', async () => {
  const [stays, again] = [await add('stays'), await add('again')]
  await merge(stays, again)
  await add('again', again)
  await erase(stays)
  assert.doesNotMatch(await log(), /stays@list/)
  assert.match(await log(), /again@list/)
  assert.deepEqual(
    [await isErasedSince(site.reads, stays, 0), await isErasedSince(site.reads, again, 0)],
    [true, false],
  )
})
