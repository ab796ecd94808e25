import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  managePath,
  openManageSecret,
  openVerifySecret,
  verifyPath,
} from '../../src/reservations/manage-secret.operations.ts'
import type { Reservation } from '../../src/reservations/reservation.ts'
import { ana } from '../support/clinic.ts'
import { InProcessSite, present, resultOf } from '../support/in-process-site.ts'

const secrets = { linkSecret: 'one' }
const secretOf = (path: string): string => path.split('/').at(-2) ?? ''

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

const opened = async (secret: string) => (await openManageSecret(site.reads, secrets, secret))?.id
const book = async () => site.book(present((await site.slots('plain', ana, site.nextDay()))[0]))
const links = (reservation: Reservation) => ({
  manage: secretOf(managePath(secrets, reservation)),
  verify: secretOf(verifyPath(secrets, reservation)),
})
const addCustomer = async (name: string) =>
  resultOf(await site.perform('customers.add', { name, email: `${name}@list.example`, createUser: false })).id

test('a secret opens one reservation', async () => {
  const [one, other] = [await book(), await book()]
  const { manage } = links(one)
  assert.equal(await opened(manage), one.id)
  assert.equal(await opened(secretOf(managePath({ linkSecret: 'zero' }, one))), undefined)
  const [, signature] = manage.split('.')
  const { id } = one
  for (const wrong of [
    `${other.id}.${signature}`,
    id,
    `${id}.`,
    `${manage}.x`,
    `r_0.${signature}`,
    links(one).verify,
    '',
  ])
    assert.equal(await opened(wrong), undefined, wrong)
})

test('the links of a customer become invalid when the reservation gets another customer', async () => {
  const { id } = await book()
  const first = links(await site.reservation(id))
  resultOf(await site.edit(id, { data: { seen: true } }))
  assert.equal(await opened(first.manage), id)
  assert.equal((await openVerifySecret(site.reads, secrets, first.verify))?.id, id)
  resultOf(await site.edit(id, { customerId: await addCustomer('second') }))
  const second = links(await site.reservation(id))
  assert.equal(await opened(first.manage), undefined)
  assert.equal(await openVerifySecret(site.reads, secrets, first.verify), undefined)
  assert.equal(await opened(second.manage), id)
  assert.equal((await openVerifySecret(site.reads, secrets, second.verify))?.id, id)
})

test('the links of a customer become invalid when a site file gives the reservation to another customer', async () => {
  const { id, serviceId, providerId, start } = await book()
  const first = links(await site.reservation(id))
  const customer = await addCustomer('third')
  const entry = { id, service: serviceId, provider: String(providerId), customer, start }
  resultOf(await site.perform('site.apply', { reservations: [entry] }))
  assert.equal((await site.reservation(id)).customerId, customer)
  assert.equal(await opened(first.manage), undefined)
  assert.equal(await opened(links(await site.reservation(id)).manage), id)
})

test('the links of a customer who is merged into another remain valid', async () => {
  const from = await addCustomer('twice')
  const { id } = await book()
  resultOf(await site.edit(id, { customerId: from }))
  const { manage } = links(await site.reservation(id))
  const into = await addCustomer('once')
  resultOf(await site.perform('customers.merge', { id: into, from }))
  assert.equal((await site.reservation(id)).customerId, into)
  assert.equal(await opened(manage), id)
})
