import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ana } from '../support/clinic.ts'
import { type InProcessSite, present, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { type MailServer, partOf } from '../support/mail-server.ts'

describe('messages about a reservation that gets another customer before they leave', { timeout: 600_000 }, () => {
  let siteWithMail: InProcessSiteWithMail
  let site: InProcessSite
  let mailServer: MailServer
  before(async () => {
    siteWithMail = await InProcessSiteWithMail.open()
    ;({ site, mailServer } = siteWithMail)
  })
  after(() => siteWithMail.close())
  beforeEach(() => siteWithMail.reset())

  const run = () => siteWithMail.runDueJobs()
  const textTo = (address: string) => {
    const [mail, ...more] = mailServer.to(address)
    assert.ok(mail && more.length === 0, `${address}: ${mailServer.to(address).length} messages`)
    return partOf(mail, 'text/plain') ?? ''
  }
  const duplicate = async () => {
    const added = { name: 'Jo again', email: 'jo.again@example.com', createUser: false }
    return resultOf(await site.perform('customers.add', added)).id
  }
  const bookFor = async (customerId: string) => {
    const slot = present((await site.slots('plain', ana, site.nextDay()))[0])
    return site.book(slot, { customerId })
  }
  const merge = async (from: string) =>
    resultOf(await site.perform('customers.merge', { id: site.customer('Jo'), from }, { now: siteWithMail.now }))
  const move = async (id: string) => {
    const slot = present((await site.slots('plain', ana, site.nextDay()))[2])
    const { providerId, start, end, availabilityId } = slot
    resultOf(await site.edit(id, { providerId, start, end, availabilityId }, { now: siteWithMail.now }))
  }
  const giveToMia = async (id: string) =>
    resultOf(await site.edit(id, { customerId: site.customer('Mia') }, { now: siteWithMail.now }))

  test('a booking of a merged customer is confirmed to the one who remains, and announced to the provider', async () => {
    const from = await duplicate()
    const { id } = await bookFor(from)
    await merge(from)
    await run()
    assert.match(textTo('jo@example.com'), new RegExp(`Your appointment is confirmed.*/manage/${id}`, 's'))
    assert.match(textTo('ana@clinic.example'), /Customer: Jo\s/)
    assert.deepEqual(mailServer.to('jo.again@example.com'), [])
  })

  test('a move and a cancellation reach the customer who remains after a merge, with the former time', async () => {
    const from = await duplicate()
    const [moved, cancelled] = [await bookFor(from), await bookFor(from)]
    await run()
    mailServer.received.length = 0
    siteWithMail.now += 60
    await move(moved.id)
    resultOf(await site.edit(cancelled.id, { status: 'cancelled' }, { now: siteWithMail.now }))
    await merge(from)
    await run()
    const texts = mailServer.to('jo@example.com').map((mail) => partOf(mail, 'text/plain') ?? '')
    assert.equal(texts.length, 2)
    assert.match(texts.join('\n'), /has been moved from [^.]*, 09:00 to [^.]*, 10:00\./)
    assert.match(texts.join('\n'), /has been cancelled\./)
  })

  test('a reservation that got another customer is confirmed to that customer alone, with a link', async () => {
    const { id } = await bookFor(site.customer('Jo'))
    await giveToMia(id)
    await run()
    assert.match(textTo('mia@example.com'), new RegExp(`Hello Mia,.*/manage/${id}`, 's'))
    assert.match(textTo('ana@clinic.example'), /Customer: Mia\s/)
    assert.deepEqual(mailServer.to('jo@example.com'), [])
  })

  test('the message about a move does not disclose the appointment of the former customer', async () => {
    const { id } = await bookFor(site.customer('Jo'))
    await run()
    mailServer.received.length = 0
    siteWithMail.now += 60
    await move(id)
    await giveToMia(id)
    await run()
    assert.match(textTo('mia@example.com'), /has been moved to [^.]*, 10:00\./)
    assert.deepEqual(mailServer.to('jo@example.com'), [])
  })

  test('a cancellation is told to the customer who had the appointment', async () => {
    const { id } = await bookFor(site.customer('Jo'))
    await run()
    mailServer.received.length = 0
    siteWithMail.now += 60
    resultOf(await site.edit(id, { status: 'cancelled' }, { now: siteWithMail.now }))
    await giveToMia(id)
    await run()
    assert.match(textTo('jo@example.com'), /has been cancelled\./)
    assert.deepEqual(mailServer.to('mia@example.com'), [])
  })

  test('the log lists a message that was tried again under the customer who received it', async () => {
    const { id } = await bookFor(site.customer('Jo'))
    siteWithMail.refusedWith.set('jo@example.com', 451)
    await run()
    siteWithMail.now += 120
    await giveToMia(id)
    await run()
    const logged = async (recipient: string) =>
      (await siteWithMail.messageLog(id, recipient)).map(({ customer_id, state }) => [customer_id, state])
    assert.deepEqual(await logged('mia@example.com'), [[site.customer('Mia'), 'sent']])
    assert.deepEqual(await logged('jo@example.com'), [])
  })
})
