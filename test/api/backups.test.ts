import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const day = 86_400

onEachDatabase((open, kind) => {
  let site: TestSite
  let admin: BrowserClient
  let mailServer: MailServer
  before(async () => {
    site = await open()
    admin = (await insertSignedInUser(site, 'admin')).browser
    mailServer = await MailServer.open()
  })
  after(async () => {
    await site.close()
    await mailServer.close()
  })

  const system = async () => Object((await admin.get('/system/')).body.response)
  const check = async () => {
    const { checks } = await system()
    const found = checks.find((one: { check: { code: string } }) => one.check.code === 'check_backup')
    return [found?.state, found?.message.code]
  }
  const metric = async () => /^daybook_last_backup_timestamp_seconds (\d+)$/m.exec(await metrics())?.[1]
  const metrics = async () => (await fetch(`${site.server.url}/metrics`)).text()

  test('before the first backup, none is shown and none is overdue', async () => {
    assert.equal((await system()).lastBackupAt, null)
    assert.deepEqual(await check(), ['ok', kind === 'sqlite' ? 'backup_not_yet' : 'backup_unrecorded'])
    assert.equal(await metric(), undefined)
  })

  test('the time of a backup is recorded, by the service or by the command that follows other tools', async () => {
    if (kind === 'sqlite') {
      assert.equal((await admin.post('/backup/', {})).status, 200)
      while ((await system()).backup.state === 'running') await pause()
    } else {
      const { code, stderr } = await site.server.daybook('record-backup')
      assert.equal(code, 0, stderr)
    }
    const { lastBackupAt } = await system()
    assert.ok(lastBackupAt >= now && lastBackupAt < now + 600, String(lastBackupAt))
    assert.equal(await metric(), String(lastBackupAt))
    assert.deepEqual(await check(), ['ok', 'backup_last'])
  })

  test('the backup of the panel can be downloaded after a restart', {
    skip: kind === 'sqlite' ? false : 'PostgreSQL is backed up by its own tools',
  }, async () => {
    await site.server.stop()
    await site.server.restart()
    ;({ browser: admin } = await insertSignedInUser(site, 'admin'))
    const { backup } = await system()
    assert.deepEqual([backup.state, backup.message.code], ['done', 'backup_earlier'])
    const { headers } = await admin.get('/backup/')
    assert.equal(Number(headers.get('content-length')), backup.bytes)
  })

  test('the age is set by administrators, within limits', async () => {
    const manager = (await insertSignedInUser(site, 'manager')).browser
    assert.equal((await manager.post('/backup/overdue/', { overdueDays: 2 })).status, 403)
    const wrong = await admin.post('/backup/overdue/', { overdueDays: 0 })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details ?? {})], [400, ['overdueDays']])
    assert.equal((await admin.post('/backup/overdue/', { overdueDays: 2 })).status, 200)
    assert.equal((await system()).backupOverdueDays, 2)
  })

  test('administrators are told once of an overdue backup, until there is another', async () => {
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    assert.equal((await admin.post('/notifications/settings/edit/', { enabled: true, smtp, from })).status, 200)
    await site.server.stop()
    const session = { lastSeenAt: now + 3 * day, expiresAt: now + 4 * day, authenticatedAt: now + 3 * day }
    // The service looks at backups when it starts, and writes to those who are administrators then.
    const later = await insertSignedInUser(site, 'admin', session)
    await site.server.restart({ now: now + 3 * day })
    admin = later.browser
    const mail = await mailServer.firstTo(later.email)
    assert.equal(mail.headers.get('subject'), 'A backup of Harbour Clinic is overdue')
    const lastDate = new Date((await system()).lastBackupAt * 1000).toISOString().slice(0, 10)
    assert.ok(partOf(mail, 'text/plain')?.includes(`Last backup: ${lastDate}.`), mail.raw)
    assert.deepEqual(await check(), ['warn', 'backup_overdue'])
    const events = async () => (await admin.get('/history/?type=site.backup_overdue')).body.response.length
    assert.equal(await events(), 1)
    assert.equal((await site.server.daybook('record-backup')).code, 0)
    assert.deepEqual(await check(), ['ok', 'backup_last'])
    assert.equal(await events(), 1)
  })
})
