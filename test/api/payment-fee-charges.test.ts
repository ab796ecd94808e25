import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { fee, noShowFeesOf } from '../support/no-show-fees.ts'
import { openPaymentTestSite, type PaymentTestSite, waitUntil } from '../support/payment-test-site.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  let paying: PaymentTestSite
  let fees: ReturnType<typeof noShowFeesOf>
  let mailServer: MailServer
  before(async () => {
    mailServer = await MailServer.open()
    paying = await openPaymentTestSite(open)
    fees = noShowFeesOf(paying)
    await paying.connect()
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const sending = { enabled: true, smtp, from: { name: 'Harbour Clinic', address: 'desk@clinic.example' } }
    assert.equal((await paying.admin.post('/notifications/settings/edit/', sending)).status, 200)
    await paying.site.setService('paid', { payment: { mode: 'card', noShowFee: { percent: 40 } } })
  })
  after(async () => {
    // The service is closed before the SMTP server, because the service has open connections to that server.
    await paying.close()
    await mailServer.close()
  })

  /** Resolves when the fee of a reservation has the state; the job that charges the card is repeated until then. */
  const becomes = (id: string, state: string) =>
    waitUntil(async () => {
      await paying.site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      return (await fees.feeState(id)) === state
    }, `the state ${state}`)

  const shown = async (id: string) => Object((await paying.admin.get(`/payments/reservation/?id=${id}`)).body.response)
  const writeOff = async (reservationId: string, amount: number) => {
    const body = { reservationId, amount, reason: 'Kind' }
    assert.equal((await paying.admin.post('/payments/write-off/', body)).status, 200)
  }
  /** Books a reservation that was missed and whose fee the bank has declined. */
  async function declined(): Promise<string> {
    const { id } = await fees.missed('declined')
    assert.equal((await fees.charge(id)).status, 200)
    await becomes(id, 'declined')
    return id
  }

  const mailsTo = async (id: string) => {
    const [row] = await paying.site.sql(
      'select email from customer c join reservation r on r.customer_id = c.id where r.id = ?',
      [id],
    )
    return mailServer.to(String(row?.email)).map((mail) => partOf(mail, 'text/plain') ?? '')
  }
  /** Resolves to the text of the first mail to the customer of a reservation that matches the pattern. */
  const mailed = (id: string, pattern: RegExp) =>
    waitUntil(async () => {
      await paying.site.sql("update job set run_at = ? where kind = 'notification' and state = 'due'", [now])
      return (await mailsTo(id)).find((text) => pattern.test(text))
    }, `a message ${pattern}`)

  test('the preview and the mail of a fee that is due in part name what is charged, or requested by a link', async () => {
    const preview = async (id: string, by: string) =>
      Object((await paying.admin.get(`/payments/no-show/?id=${id}&by=${by}`)).body.response)
    const { id } = await fees.missed()
    await writeOff(id, 500)
    const ofCard = await preview(id, 'card')
    assert.deepEqual([ofCard.amount, /: (\S+)$/.exec(ofCard.mail.subject)?.[1]], [1_300, '€13.00'])
    assert.match(ofCard.mail.text, /we have charged €13\.00/)
    assert.equal((await fees.charge(id, 1_300)).status, 200)
    assert.match(await mailed(id, /we have charged/), /we have charged €13\.00/)
    const other = await fees.missed()
    await writeOff(other.id, 600)
    assert.match((await preview(other.id, 'link')).mail.text, /a no-show fee is due: €12\.00/)
    const request = { reservationId: other.id, amount: 1_200 }
    assert.equal((await paying.admin.post('/payments/no-show/link/', request)).status, 200)
    assert.match(await mailed(other.id, /a no-show fee is due/), /a no-show fee is due: €12\.00/)
  })

  test('what was waived of a fee does not reduce the price after the no-show is taken back', async () => {
    const id = await declined()
    await writeOff(id, fee)
    assert.equal((await shown(id)).due, 0)
    assert.equal((await fees.mark(id, 'completed')).status, 200)
    const { due, writtenOff, overpaid } = await shown(id)
    assert.deepEqual([due, writtenOff, overpaid], [4_500, 0, 0])
    await writeOff(id, 1_000)
    assert.equal((await shown(id)).due, 3_500)
    assert.equal((await fees.mark(id, 'no_show')).status, 200)
    assert.equal((await shown(id)).due, 3_500)
    assert.equal((await fees.charge(id)).status, 409)
  })

  test('the no-show of a declined fee is taken back after a part of the fee was paid, not after all of it', async () => {
    const id = await declined()
    const take = (amount: number) => paying.admin.post('/payments/on-site/', { reservationId: id, amount })
    assert.equal((await take(500)).status, 200)
    assert.equal((await fees.mark(id, 'completed')).status, 200)
    assert.deepEqual([await fees.feeState(id), (await shown(id)).due], ['agreed', 4_000])
    const other = await declined()
    assert.equal((await paying.admin.post('/payments/on-site/', { reservationId: other, amount: fee })).status, 200)
    assert.equal((await fees.mark(other, 'completed')).status, 400)
  })

  test('while a fee is charged to the card, the desk takes and waives nothing, and it is charged once', async () => {
    const { id } = await fees.missed('processing')
    assert.equal((await fees.charge(id)).status, 200)
    const voucher = { amount: 5_000, currency: 'EUR', validUntil: null, language: 'en' }
    const { code } = Object((await paying.admin.post('/payments/vouchers/issue/', voucher)).body.response)
    const of = { reservationId: id, amount: fee }
    for (const refused of [
      await paying.admin.post('/payments/on-site/', of),
      await paying.admin.post('/payments/write-off/', { ...of, reason: 'Kind' }),
      await paying.admin.post('/payments/vouchers/redeem/', { reservationId: id, code }),
      await paying.admin.post('/payments/no-show/charge/', of),
      await paying.admin.post('/payments/no-show/link/', of),
    ])
      assert.deepEqual([refused.status, refused.body.reason], [409, 'fee_charging'], refused.text)
    assert.deepEqual([(await shown(id)).due, (await shown(id)).writtenOff], [fee, 0])
  })

  test('a charge that is returned, because the fee was paid by a link meanwhile, is not announced', async () => {
    const { id } = await fees.missed()
    await fees.sendLink(id)
    await mailed(id, /a no-show fee is due/)
    // A message about a change of the last 15 seconds would be combined with the one about the link.
    await paying.site.sql('update event set created_at = created_at - 60 where object_id = ?', [id])
    const { id: linkId } = await fees.linkOf(id)
    // The state of the no-show fee is set to `declined`, as after the bank has declined the charge, so that staff can
    // charge the card while the payment link is open.
    const { payment } = await paying.payers.reservation(id)
    const declinedFee = { ...payment, noShowFee: { ...payment.noShowFee, state: 'declined' } }
    await paying.site.sql('update reservation set payment = ? where id = ?', [JSON.stringify(declinedFee), id])
    // The card is charged after the payment by link was recorded.
    paying.stripe.onRequest = async (moment, request) =>
      moment === 'before' && request === 'POST /v1/payment_intents' && (await fees.feeState(id)) === 'charging'
        ? 'lost'
        : undefined
    assert.equal((await fees.charge(id)).status, 200)
    paying.stripe.pay(await paying.stripe.sessionOf(String(linkId)))
    await paying.stripe.deliverAll(paying.site.server.url)
    await becomes(id, 'charged')
    paying.stripe.onRequest = () => undefined
    await waitUntil(async () => {
      await paying.site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
      return (await paying.payers.reservation(id)).payment.refunded === fee
    }, 'the return of the charge')
    // Events are handled in their order, so once this message is sent, the jobs about earlier events exist.
    const { id: later } = await fees.missed()
    assert.equal((await fees.charge(later)).status, 200)
    await mailed(later, /we have charged/)
    await waitUntil(async () => {
      await paying.site.sql("update job set run_at = ? where kind = 'notification' and state = 'due'", [now])
      return (await paying.site.sql("select 1 from job where kind = 'notification'")).length === 0
    }, 'the end of the messages')
    assert.deepEqual(
      (await mailsTo(id)).filter((text) => /we have charged/.test(text)),
      [],
    )
  })

  test('a charge that the processor decides later is recorded once it is decided', async () => {
    const { id, card } = await fees.missed('processing')
    const { intents } = paying.stripe.cards
    const findIntent = () => [...intents.values()].find(({ customer }) => customer === card.customer)
    assert.equal((await fees.charge(id)).status, 200)
    const undecided = await waitUntil(async () => findIntent(), 'the charge')
    assert.deepEqual([undecided.status, await fees.feeState(id)], ['processing', 'charging'])
    paying.stripe.cards.approve(undecided)
    await paying.stripe.deliverAll(paying.site.server.url)
    await becomes(id, 'charged')
    assert.equal((await paying.payers.reservation(id)).payment.paid, fee)
  })
})
