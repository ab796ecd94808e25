import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { MailServer } from '../support/mail-server.ts'
import { pause } from '../support/pause.ts'
import { startService } from '../support/service.ts'
import { openSql } from '../support/sql.ts'

test('mail goes to the server of DAYBOOK_SMTP_URL, with its user and password, and needs none in the panel', async (t) => {
  const users: string[] = []
  const mailServer = await MailServer.open(undefined, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username = '', password = '' }, _, callback) {
      users.push(`${username} ${password}`)
      callback(null, { user: username })
    },
  })
  const env = { DAYBOOK_SMTP_URL: `smtp+insecure://desk%40clinic.example:p%3Aw@127.0.0.1:${mailServer.port}` }
  const service = await startService({ env, now })
  const sql = openSql(service)
  t.after(async () => {
    await sql.close()
    await service.kill()
    await mailServer.close()
  })
  const { browser } = await insertSignedInUser({ server: service, sql }, 'admin')
  const from = { name: 'The clinic', address: 'desk@clinic.example' }
  const edited = await browser.post('/notifications/settings/edit/', { enabled: true, from })
  assert.equal(edited.status, 200, edited.text)
  const shown = Object((await browser.get('/notifications/settings/')).body.response)
  assert.deepEqual([shown.smtpGiven, shown.hasPassword, shown.smtp.host], [true, false, ''])
  assert.equal((await browser.post('/notifications/test/', { to: 'boss@clinic.example' })).status, 200)
  while (mailServer.to('boss@clinic.example').length === 0) await pause()
  assert.deepEqual(users, ['desk@clinic.example p:w'])
})
