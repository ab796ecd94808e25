import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { now } from '../support/clinic.ts'
import { Mailbox, partOf } from '../support/mailbox.ts'
import { type Browser, inside } from '../support/panel-door.ts'
import { onEachDatabase, type World } from '../support/world.ts'

const day = 86_400

onEachDatabase((open, kind) => {
  let world: World
  let admin: Browser
  let mailbox: Mailbox
  before(async () => {
    world = await open()
    admin = (await inside(world, 'admin')).browser
    mailbox = await Mailbox.open()
  })
  after(async () => {
    await world.close()
    await mailbox.close()
  })

  const system = async () => Object((await admin.get('/system/')).body.response)
  const check = async () => {
    const { checks } = await system()
    const found = checks.find((one: { check: { code: string } }) => one.check.code === 'check_backup')
    return [found?.state, found?.message.code]
  }
  const metric = async () => /^daybook_last_backup_timestamp_seconds (\d+)$/m.exec(await metrics())?.[1]
  const metrics = async () => (await fetch(`${world.server.url}/metrics`)).text()

  test('before the first backup, none is shown and none is overdue', async () => {
    assert.equal((await system()).lastBackupAt, null)
    assert.deepEqual(await check(), ['ok', kind === 'sqlite' ? 'backup_not_yet' : 'backup_unrecorded'])
    assert.equal(await metric(), undefined)
  })

  test('the time of a backup is recorded, by the service or by the command that follows other tools', async () => {
    if (kind === 'sqlite') {
      assert.equal((await admin.post('/backup/', {})).status, 200)
      while ((await system()).backup.state === 'running') await new Promise(setImmediate)
    } else {
      const { code, stderr } = await world.server.daybook('backup', 'record')
      assert.equal(code, 0, stderr)
    }
    const { lastBackupAt } = await system()
    assert.ok(lastBackupAt >= now && lastBackupAt < now + 600, String(lastBackupAt))
    assert.equal(await metric(), String(lastBackupAt))
    assert.deepEqual(await check(), ['ok', 'backup_last'])
  })

  test('the age is set by administrators, within limits', async () => {
    const manager = (await inside(world, 'manager')).browser
    assert.equal((await manager.post('/backup/overdue/', { overdueDays: 2 })).status, 403)
    const wrong = await admin.post('/backup/overdue/', { overdueDays: 0 })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details ?? {})], [400, ['overdueDays']])
    assert.equal((await admin.post('/backup/overdue/', { overdueDays: 2 })).status, 200)
    assert.equal((await system()).backupOverdueDays, 2)
  })

  test('administrators are told once of an overdue backup, until there is another', async () => {
    const smtp = { host: '127.0.0.1', port: mailbox.port, security: 'none', user: '' }
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    assert.equal((await admin.post('/notifications/settings/edit/', { enabled: true, smtp, from })).status, 200)
    await world.server.stop()
    await world.server.restart({ now: now + 3 * day })
    const session = { lastSeenAt: now + 3 * day, expiresAt: now + 4 * day, authenticatedAt: now + 3 * day }
    const later = await inside(world, 'admin', session)
    admin = later.browser
    const mail = await mailbox.firstTo(later.email)
    assert.equal(mail.headers.get('subject'), 'A backup of Harbour Clinic is overdue')
    const lastDate = new Date((await system()).lastBackupAt * 1000).toISOString().slice(0, 10)
    assert.ok(partOf(mail, 'text/plain')?.includes(`Last backup: ${lastDate}.`), mail.raw)
    assert.deepEqual(await check(), ['warn', 'backup_overdue'])
    const events = async () => (await admin.get('/history/?type=site.backup_overdue')).body.response.length
    assert.equal(await events(), 1)
    assert.equal((await world.server.daybook('backup', 'record')).code, 0)
    assert.deepEqual(await check(), ['ok', 'backup_last'])
    assert.equal(await events(), 1)
  })
})
