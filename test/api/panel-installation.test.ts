import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { de } from '../../src/messages/de.ts'
import { formatMessage } from '../../src/messages/format.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { standardSite } from '../support/clinic.ts'
import { command, freshFolder } from '../support/daybook.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'
import { waitForValue } from '../support/wait-for-value.ts'

onEachDatabase((open, kind) => {
  let site: TestSite
  let browser: BrowserClient
  before(async () => {
    site = await open()
    ;({ browser } = await insertSignedInUser(site, 'admin'))
  })
  after(() => site.close())

  const services = async () => (await site.get('/services/get/')).body.response.length
  const more = JSON.stringify({ services: [{ key: 'new', name: 'New' }] })

  test('checking a site file reports its changes without an effect; applying it performs them', async () => {
    const before = await services()
    const checked = await browser.post('/site-file/check/', { text: more })
    assert.deepEqual(Object(checked.body.response.services).added, ['New'], checked.text)
    assert.equal(await services(), before)
    const applied = await browser.post('/site-file/apply/', { text: more })
    assert.deepEqual(applied.body.response, checked.body.response)
    assert.equal(await services(), before + 1)
    const again = await browser.post('/site-file/check/', { text: more })
    assert.deepEqual(Object(again.body.response.services).added, [])
  })

  test('an error in a site file is reported with its place, and nothing is applied', async () => {
    const before = await services()
    for (const [text, sentence] of [
      ['{\n  "services": [,]\n}', /not valid JSON/],
      [JSON.stringify({ services: [{ key: 'a', name: 7 }] }), /services\[0\]\.name|services\.0\.name/],
    ] as const) {
      const { status, text: said } = await browser.post('/site-file/apply/', { text })
      assert.equal(status, 400, said)
      assert.match(said, sentence)
    }
    assert.equal(await services(), before)
  })

  test('the site is exported as a file that can be applied again, optionally with customers', async () => {
    const { headers, text } = await browser.get('/site-file/?customers=true')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="site.json"')
    assert.equal(headers.get('cache-control'), 'no-store')
    const siteFile = JSON.parse(text)
    assert.deepEqual([siteFile.site.name, siteFile.customers.length], ['Harbour Clinic', standardSite.customers.length])
    assert.equal('customers' in JSON.parse((await browser.get('/site-file/')).text), false)
    const again = await browser.post('/site-file/check/', { text })
    assert.deepEqual(Object(again.body.response.providers).changed, [], again.text)
  })

  test('an unknown currency is refused beside its field, but accepted in a site file', async () => {
    const { status, body } = await browser.post('/site/edit/', { currency: 'XXQ' })
    assert.deepEqual([status, Object.keys(body.details ?? {})], [400, ['currency']])
    for (const currency of ['XXQ', 'EUR']) {
      const applied = await browser.post('/site-file/apply/', { text: JSON.stringify({ site: { currency } }) })
      assert.equal(applied.status, 200, applied.text)
    }
    assert.equal((await browser.post('/site/edit/', { currency: 'CHF' })).status, 200)
    assert.equal((await browser.post('/site/edit/', { currency: 'EUR' })).status, 200)
  })

  test("a new provider has the site's default hours, existing providers are unchanged", async () => {
    const hours = { sat: ['10:00-14:00', '22:00-02:00'] }
    const weeklyOf = async (name: string): Promise<unknown> => {
      const listed = (await browser.get(`/providers/?search=${name}`)).body.response
      return (await browser.get(`/providers/one/?id=${listed[0]?.id}`)).body.response.weekly
    }
    const [ben, before] = [await weeklyOf('Ben'), Object((await browser.get('/site/')).body.response).defaultWeekly]
    assert.deepEqual(
      before,
      Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, ['09:00-17:00']])),
    )
    const wrong = await browser.post('/site/edit/', { defaultWeekly: { mon: ['9-17'] } })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details ?? {})], [400, ['defaultWeekly.mon[0]']])
    assert.equal((await browser.post('/site/edit/', { defaultWeekly: hours })).status, 200)
    assert.equal((await browser.post('/providers/add/', { name: 'Nia' })).status, 200)
    assert.deepEqual([await weeklyOf('Nia'), await weeklyOf('Ben')], [hours, ben])
    assert.deepEqual(JSON.parse((await browser.get('/site-file/')).text).site.defaultWeekly, hours)
    // The default opening hours of a site file apply to the providers that the file adds.
    const ofFile = { tue: ['08:00-12:00'] }
    const text = JSON.stringify({
      site: { defaultWeekly: ofFile },
      providers: [{ name: 'Ora' }, { name: 'Pia', weekly: { wed: ['09:00-10:00'] } }, { name: 'Nia' }],
    })
    const applied = await browser.post('/site-file/apply/', { text })
    assert.deepEqual(applied.body.response.site, ['defaultWeekly'], applied.text)
    assert.deepEqual(
      [await weeklyOf('Ora'), await weeklyOf('Pia'), await weeklyOf('Nia')],
      [ofFile, { wed: ['09:00-10:00'] }, hours],
    )
    const history = (await browser.get('/history/?type=site.updated')).body.response
    for (const { seq } of history.slice(0, 2)) {
      const undone = await browser.post('/history/undo/', { seq })
      assert.equal(undone.status, 200, undone.text)
    }
    assert.deepEqual(Object((await browser.get('/site/')).body.response).defaultWeekly, before)
  })

  test('the system page reports the checks of the doctor', async () => {
    const system = async () => (await browser.get('/system/')).body.response
    // On PostgreSQL, a transaction of a job may delay the feed for a moment.
    await waitForValue(async () => (await system()).feedLagSeconds, 0)
    const response = await system()
    assert.deepEqual([response.database, response.healthy], [kind, true])
    const checks = Object.values(Object(response.checks)).map((one) => Object(one).check.code)
    assert.ok(checks.includes('check_schema') && checks.includes('check_secret_key'), String(checks))
    const german = { locale: 'de', texts: de }
    for (const one of Object.values(Object(response.checks))) {
      const { check, message } = Object(one)
      const inGerman = `${formatMessage(check, german)}: ${formatMessage(message, german)}`
      assert.doesNotMatch(inGerman, /\b(?:and|at|behind|free|is|of|the|yet)\b/)
    }
  })

  if (kind === 'postgres') {
    test("for a PostgreSQL backup the panel refers to PostgreSQL's tools", async () => {
      const { status, body } = await browser.post('/backup/')
      assert.deepEqual([status, body.reason], [409, 'backup_not_here'])
      assert.equal((await browser.get('/backup/')).body.reason, 'backup_not_found')
    })
    return
  }

  test('a backup is made while the service runs, and the download is valid', async () => {
    assert.equal((await browser.get('/backup/')).body.reason, 'backup_not_found')
    assert.equal(Object((await browser.post('/backup/')).body.response).state, 'running')
    let backup = Object((await browser.get('/system/')).body.response.backup)
    while (backup.state === 'running') {
      await pause()
      backup = Object((await browser.get('/system/')).body.response.backup)
    }
    assert.equal(backup.state, 'done', JSON.stringify(backup.message))
    const answer = await fetch(`${site.server.url}/admin/api/backup/`, {
      headers: { Cookie: `daybook-loopback=${browser.cookie}`, 'Sec-Fetch-Site': 'same-origin' },
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    assert.equal(bytes.length, backup.bytes)
    const file = join(freshFolder(), 'downloaded.db')
    writeFileSync(file, bytes)
    const { code, stdout } = await command(['verify', file])
    assert.equal(code, 0, stdout)
  })
})
