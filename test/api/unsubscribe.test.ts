import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  before(async () => {
    site = await open()
    for (const [id, recipient, locale] of [
      ['msg_german', 'Ute@example.com', 'de'],
      ['msg_french', 'luc@example.com', 'fr'],
    ] as const)
      await site.sql(
        `insert into notification
           (id, kind, recipient, locale, subject, state, reason, attempts, created_at, updated_at)
         values (?, 'reminder', ?, ?, '', 'sent', '', 1, ?, ?)`,
        [id, recipient, locale, now, now],
      )
  })
  after(() => site.close())

  const url = (id: string) => `${site.server.url}/unsubscribe/?id=${encodeURIComponent(id)}`
  const page = async (id: string, init: RequestInit = {}) => {
    const response = await fetch(url(id), init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
  const suppressed = async () => {
    const rows = await site.sql('select address_key, reason from mail_suppression order by address_key')
    return rows.map(({ address_key, reason }) => `${address_key} ${reason}`)
  }

  test('the link asks in the language of the message, and changes nothing by itself', async () => {
    const { status, headers, text } = await page('msg_german')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'sha256-/)
    assert.match(text, /<html lang="de">/)
    assert.match(text, /Möchten Sie von Harbour Clinic keine Erinnerungen/)
    assert.doesNotMatch(text, /<script|example\.com/)
    assert.deepEqual(await suppressed(), [])
  })

  test('the button and the one click of a mail program unsubscribe, as often as they are repeated', async () => {
    for (const init of [{ method: 'POST' }, oneClick, oneClick]) {
      const { status, text } = await page('msg_german', init)
      assert.equal(status, 200)
      assert.match(text, /Sie erhalten von Harbour Clinic keine Erinnerungen und Nachrichten nach dem Termin mehr/)
    }
    assert.deepEqual(await suppressed(), ['ute@example.com unsubscribed'])
    assert.equal((await page('msg_french', oneClick)).status, 200)
    assert.deepEqual(await suppressed(), ['luc@example.com unsubscribed', 'ute@example.com unsubscribed'])
  })

  test('the link of a message that is not in the log is refused, in the language of the browser', async () => {
    const before = await suppressed()
    const spanish = { headers: { 'Accept-Language': 'pt-PT, es;q=0.8, en' } }
    for (const id of ['msg_unknown', '', '"><script>', 'x'.repeat(300)]) {
      for (const init of [spanish, { ...spanish, ...oneClick }]) {
        const { status, text } = await page(id, init)
        assert.equal(status, 404)
        assert.match(text, /Este enlace ha caducado.*Harbour Clinic/)
        assert.doesNotMatch(text, /<script|<form|recordatorios de/)
      }
    }
    assert.deepEqual(await suppressed(), before)
  })

  test('a body that is too long is refused', async () => {
    assert.equal((await page('msg_german', { method: 'POST', body: 'x'.repeat(70_000) })).status, 413)
  })
})
