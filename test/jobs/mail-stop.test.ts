import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertSignedInUser } from '../support/browser-client.ts'
import { EndlessSmtpServer } from '../support/endless-smtp-server.ts'
import { MailServer } from '../support/mail-server.ts'
import { onEachDatabase } from '../support/test-site.ts'

onEachDatabase((open) => {
  test('a service stops while a mail server sends an endless response, and sends the message after its next start', {
    timeout: 600_000,
  }, async (t) => {
    const [endless, mailServer] = [await EndlessSmtpServer.open(), await MailServer.open()]
    const site = await open()
    t.after(async () => {
      // A service that waits for the response can stop only after the end of its connection.
      await endless.close()
      await site.close()
      await mailServer.close()
    })
    const admin = (await insertSignedInUser(site, 'admin')).browser
    const smtp = { host: '127.0.0.1', port: endless.port, security: 'none', user: '' }
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    assert.equal((await admin.post('/notifications/settings/edit/', { smtp, from })).status, 200)
    assert.equal((await admin.post('/notifications/test/', { to: 'boss@clinic.example' })).status, 200)
    await endless.asked
    assert.equal(await site.server.stop(), 0)
    const jobs = await site.sql("select state, attempts from job where kind = 'test-mail'")
    assert.deepEqual(
      jobs.map(({ state, attempts }) => [state, Number(attempts)]),
      [['due', 0]],
    )
    const [stored] = await site.sql('select body from notification_settings')
    const body = JSON.stringify({ ...JSON.parse(String(stored?.body)), smtp: { ...smtp, port: mailServer.port } })
    await site.sql('update notification_settings set body = ?', [body])
    await site.server.restart()
    await mailServer.firstTo('boss@clinic.example')
  })
})
