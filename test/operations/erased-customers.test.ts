import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findCustomer } from '../../src/customers/customers.sql.ts'
import { consumePayments } from '../../src/payments/checkout/checkout.operations.ts'
import { ana } from '../support/clinic.ts'
import { type InProcessSite, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import type { MailServer } from '../support/mail-server.ts'

describe('messages after the erasure of a customer', { timeout: 600_000 }, () => {
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
  const addCustomer = async (name: string): Promise<string> => {
    const contact = { name, email: `${name}@list.example`, phone: '' }
    return resultOf(await site.perform('customers.add', { ...contact, createUser: false })).id
  }
  const erase = async (id: string) => resultOf(await site.perform('customers.erase', { id }, { now: siteWithMail.now }))
  const bookFor = async (customerId: string, data = {}) => {
    const slot = (await site.slots('plain', ana, site.nextDay()))[0]
    assert.ok(slot)
    return site.book(slot, { customerId, data })
  }
  const slotOf = async (nth: number) => {
    const slot = (await site.slots('plain', ana, site.nextDay()))[nth]
    assert.ok(slot)
    const { providerId, start, end, availabilityId } = slot
    return { providerId, start, end, availabilityId }
  }

  test('unsent and sent messages to a customer to whom a reservation was given remain and are sent', async () => {
    const [giver, taker] = [await addCustomer('giver'), await addCustomer('taker')]
    const { id } = await bookFor(giver, { wish: 'Zaunkoenig' })
    await run()
    const atOnce = async (change: object) => {
      siteWithMail.now += 60
      resultOf(await site.edit(id, change, { now: siteWithMail.now }))
      await run()
    }
    await atOnce({ customerId: taker, data: { own: 'remains' } })
    await atOnce(await slotOf(1))
    assert.equal((await siteWithMail.messageLog(id, 'taker@list.example')).length, 1)
    siteWithMail.refusedWith.set('taker@list.example', 450)
    await atOnce(await slotOf(2))
    siteWithMail.refusedWith.clear()
    mailServer.received.length = 0
    await erase(giver)
    const states = (await siteWithMail.messageLog(id, 'taker@list.example')).map(({ state }) => state)
    assert.deepEqual(states.toSorted(), ['retrying', 'sent'])
    assert.deepEqual(await siteWithMail.messageLog(id, 'giver@list.example'), [])
    siteWithMail.now += 3_600
    await run()
    const [mail, ...more] = mailServer.to('taker@list.example')
    assert.ok(mail && more.length === 0)
    assert.match(mail.headers.get('subject') ?? '', /^New time: /)
    const log = JSON.stringify(await site.connection.build.selectFrom('event').select(['body']).execute())
    assert.doesNotMatch(log, new RegExp(`Zaunkoenig|giver@|customerId[^:]*:[^:]*${giver}`))
    assert.match(log, /remains/)
  })

  test('an erased customer whose past visit remains is sent no follow-up, neither a first nor a repeated one', async () => {
    await siteWithMail.configure({ followUp: 60, reminders: [] })
    const [early, late] = [await addCustomer('early'), await addCustomer('late')]
    const first = await bookFor(early)
    const second = await bookFor(late)
    await run()
    siteWithMail.now = first.end + 60
    await erase(early)
    siteWithMail.now = first.end + 3_600
    mailServer.received.length = 0
    await run()
    siteWithMail.now = second.end + 3_600
    siteWithMail.refusedWith.set('late@list.example', 450)
    await run()
    const [followUp] = (await siteWithMail.messageLog(second.id, 'late@list.example')).slice(-1)
    assert.deepEqual([followUp?.kind, followUp?.state], ['follow_up', 'retrying'])
    siteWithMail.refusedWith.clear()
    await erase(late)
    siteWithMail.now += 3_600
    await run()
    const recipients = mailServer.received.flatMap(({ to }) => to)
    assert.deepEqual(
      recipients.filter((address) => address !== 'taker@list.example'),
      [],
    )
    for (const { id, customerId } of [first, second]) {
      const log = await site.connection.build
        .selectFrom('notification')
        .select('recipient')
        .where('reservation_id', '=', id)
        .execute()
      assert.deepEqual(log, [])
      const customer = await findCustomer(site.reads, customerId)
      assert.deepEqual([customer?.name, customer?.email], ['Erased', ''])
    }
    const jobs = site.connection.build.selectFrom('job').select('kind').where('kind', '=', 'timed-notification')
    assert.deepEqual(await jobs.execute(), [])
    await siteWithMail.configure({})
  })

  for (const [audience, refusal] of [
    ['customer', undefined],
    ['customer', 450],
    ['customer', 550],
    ['provider', 450],
  ] as const)
    test(`a mail to the ${audience} that is being sent during the erasure leaves nothing of it, answered ${refusal ?? 250}`, async () => {
      const customer = await addCustomer('departing')
      const recipient = audience === 'customer' ? 'departing@list.example' : 'ana@clinic.example'
      resultOf(await site.perform('providers.edit', { id: ana, email: 'ana@clinic.example' }))
      const visit = await bookFor(customer)
      await run()
      resultOf(await site.edit(visit.id, { status: 'cancelled' }, { now: siteWithMail.now }))
      if (refusal) siteWithMail.refusedWith.set(recipient, refusal)
      let erased = 0
      siteWithMail.whileSending = async (to) => {
        if (to !== recipient || erased > 0) return
        erased += 1
        await erase(customer)
      }
      siteWithMail.now += 60
      await run()
      assert.equal(erased, 1)
      assert.deepEqual(await siteWithMail.messageLog(visit.id, recipient), [])
      const suppressed = await site.connection.build.selectFrom('mail_suppression').select('address_key').execute()
      assert.deepEqual(suppressed, [])
      siteWithMail.whileSending = async () => {}
      resultOf(await site.perform('providers.edit', { id: ana, email: '' }))
    })

  test('mail about an erased customer whose row is used for another customer is logged', async () => {
    const id = await addCustomer('replaced')
    const past = await bookFor(id)
    await run()
    siteWithMail.now = past.end + 60
    await erase(id)
    siteWithMail.now += 3_600
    const email = 'successor@list.example'
    resultOf(await site.perform('customers.edit', { id, name: 'Successor', email }, { now: siteWithMail.now }))
    siteWithMail.refusedWith.set(email, 550)
    const next = await bookFor(id)
    await run()
    assert.deepEqual(
      (await siteWithMail.messageLog(next.id, email)).map(({ state }) => state),
      ['failed'],
    )
    const suppressed = await site.connection.build.selectFrom('mail_suppression').select('address_key').execute()
    assert.deepEqual(suppressed, [{ address_key: email }])
    await site.connection.build.deleteFrom('mail_suppression').execute()
  })

  for (const waived of ['price', 'fee'] as const)
    test(`the reasons that staff gave for refunds and write-offs of a ${waived} remain for a later customer of the reservation`, async () => {
      const [giver, taker] = [await addCustomer(`earlier ${waived}`), await addCustomer(`later ${waived}`)]
      const { id } = await bookFor(giver)
      const { build } = site.connection
      const money = { amount: 4_500, currency: 'EUR' }
      const declined = { noShowFee: { amount: 2_000, state: 'declined' } }
      const unpaid = { method: 'on_site', state: 'due', paid: 0, refunded: 0, ...money }
      const payment = JSON.stringify({ ...unpaid, ...(waived === 'fee' && declined) })
      await build.updateTable('reservation').set({ payment }).where('id', '=', id).execute()
      const stored = { ...money, created_at: 0, updated_at: 0 }
      const online = { purpose: 'pay', state: 'closed', checkout_id: null, checkout_url: null, charge_id: null }
      await build
        .insertInto('payment')
        .values({ id: `pay ${waived}`, customer_id: giver, expires_at: 0, ...online, ...stored })
        .execute()
      await build
        .insertInto('payment_share')
        .values({ payment_id: `pay ${waived}`, reservation_id: id, amount: 4_500, state: 'booked' })
        .execute()
      const giveReasons = async (reason: string) => {
        const { now } = siteWithMail
        resultOf(await site.perform('payments.write-off', { reservationId: id, amount: 100, reason }, { now }))
        const of = { payment_id: `pay ${waived}`, reservation_id: id, state: 'succeeded', processor_id: null }
        await build
          .insertInto('refund')
          .values({ id: `refund ${waived} ${reason}`, reason, ...of, ...stored, created_at: now })
          .execute()
        siteWithMail.now += 60
      }
      await giveReasons(`Earlier ill, ${waived}`)
      resultOf(await site.edit(id, { customerId: taker }, { now: siteWithMail.now }))
      siteWithMail.now += 60
      await giveReasons(`Later ill, ${waived}`)
      await erase(giver)
      const refunds = await build
        .selectFrom('refund')
        .select('reason')
        .where('payment_id', '=', `pay ${waived}`)
        .orderBy('created_at')
        .execute()
      assert.deepEqual(
        refunds.map(({ reason }) => reason),
        ['', `Later ill, ${waived}`],
      )
      const log = JSON.stringify(await build.selectFrom('event').select('body').execute())
      assert.doesNotMatch(log, /Earlier ill/)
      assert.ok(log.includes(`Later ill, ${waived}`))
    })

  test('a link to bookings that was asked for before an erasure is not sent', async () => {
    const id = await addCustomer('asks')
    const visit = await bookFor(id)
    await run()
    resultOf(await site.perform('bookings-mail.ask', { email: 'asks@list.example', language: 'en' }))
    siteWithMail.now = visit.end + 60
    await erase(id)
    mailServer.received.length = 0
    await run()
    assert.deepEqual(mailServer.received, [])
  })

  test('the payments of others go on after the write-off of a customer who was erased before it was processed', async () => {
    const { id } = await bookFor(await addCustomer('debtor'))
    const entry = { id: 'evt_1', seq: '1-1', createdAt: siteWithMail.now, actor: { kind: 'user', id: 'u_1' } } as const
    const erased = { ...entry, type: 'payment.written_off', objectId: 'led_1', object: null, previous: null } as const
    const written = { ...erased, object: { reservationIds: [id] } }
    for (const event of [erased, written])
      resultOf(await site.run(async (tx) => void (await consumePayments(tx, [event]))))
  })
})
