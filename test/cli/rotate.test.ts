import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { sealTotp } from '../../src/access/second-factors/totp.ts'
import { hostSecretPlace } from '../../src/booking-page/host/host-secret.operations.ts'
import { findHostSecret } from '../../src/booking-page/host/host-secret.sql.ts'
import { accountPlace } from '../../src/calendars/accounts/account.ts'
import { calendarPlace } from '../../src/calendars/calendar.ts'
import { appPlace } from '../../src/calendars/oauth/oauth.ts'
import { keyRotate } from '../../src/cli/access/key-rotate.ts'
import { readConfig } from '../../src/config.ts'
import { decrypt, encrypt } from '../../src/encryption.ts'
import { gatewayPlace, passwordPlace } from '../../src/notifications/notifications.operations.ts'
import type { Operations } from '../../src/operations.ts'
import { managePath } from '../../src/reservations/manage-secret.operations.ts'
import { keyFinder } from '../../src/server/secret-key.ts'
import { headersPlace, secretPlace } from '../../src/webhooks/delivery.job.ts'
import { BrowserClient, setUpSecret } from '../support/browser-client.ts'
import { now, standardSite } from '../support/clinic.ts'
import { contextWith, withStorage } from '../support/databases.ts'
import { freshFolder } from '../support/daybook.ts'
import { eachDatabase, type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const oldKey = '5e'.repeat(32)
const newKey = 'a1'.repeat(32)
const entry = { email: 'ann@clinic.example', password: 'a long and quiet evening' }

test('of two rotations of the key at once, one is refused, and the key of the stored secrets remains', async () => {
  const table = new URL('../../src/operations.ts', import.meta.url)
  await withStorage<Operations>('sqlite', table, async (storage) => {
    const dataDir = freshFolder()
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const origin = () => 'https://clinic.example'
    const app = { ...storage, now: () => now, log, migrated: [], dataDir, secretKey: undefined, origin }
    const place = { dataDir, secretKey: undefined }
    const first = await keyFinder(place)()
    assert.ok(first)
    const sealed = encrypt(first, 'dbh_secret', hostSecretPlace)
    await storage.perform('booking-page.host-secret.set', { sealed }, contextWith({ now }))
    const read = readConfig({}, {})
    assert.ok('config' in read)
    const caller = { write: async () => {}, note: () => {} }
    const call = { flags: {}, positionals: [], file: '', config: read.config, caller }
    const rotate = () => keyRotate.run(app, call)
    const endings = await Promise.all([rotate(), rotate()])
    assert.deepEqual(
      endings.map(({ exit, err }) => [exit, err]),
      [
        [0, ''],
        [1, 'Another key rotation is running. Try again when it has finished.\n'],
      ],
    )
    const ring = await keyFinder(place)()
    assert.ok(ring?.length === 1 && !Buffer.from(ring[0]).equals(first[0]))
    assert.equal(decrypt(ring, String((await findHostSecret(storage.db))?.sealed), hostSecretPlace), 'dbh_secret')
    assert.equal((await rotate()).exit, 0)
  })
})

eachDatabase((kind, open) => {
  describe('a secret is rotated while the service runs', { timeout: 600_000 }, () => {
    const env: Record<string, string> = kind === 'postgres' ? { DAYBOOK_SECRET_KEY: oldKey } : {}
    let service: ServiceProcess
    let sql: Sql
    before(async () => {
      service = await open({ site: standardSite, now, env })
      sql = openSql(service)
    })
    after(() => sql.close())

    const slots = async () => {
      const query = { min_timestamp: now, max_timestamp: now + 14 * 86_400 }
      const { body } = await service.call('GET', '/availability/get/', { query })
      return body.response
    }

    test('listed slot ids stay valid on every node, and new ones use the new secret', async () => {
      const customer = (await service.call('POST', '/customers/add/', { body: { name: 'A', email: 'a@list.example' } }))
        .body.id
      const shown = await slots()
      const other =
        kind === 'postgres'
          ? await startService({ databaseUrl: service.databaseUrl ?? '', now, env, beside: service })
          : undefined
      const { code, stderr } = await service.daybook('secret', 'rotate')
      assert.equal(code, 0, stderr)
      const made = new Set((await slots()).map(({ availabilityId }) => availabilityId))
      assert.ok(made.size > 0 && shown.every(({ availabilityId }) => !made.has(availabilityId)))
      for (const [n, node] of [service, ...(other ? [other] : [])].entries()) {
        const slot = shown[n * 60]
        assert.ok(slot)
        const { availabilityId, serviceId, providerId, start, end } = slot
        const body = { availabilityId, serviceId, providerId, start, end, customerId: customer }
        const booked = await node.call('POST', '/reservations/add/', { body })
        assert.equal(booked.status, 200, booked.text)
      }
      await other?.kill()
      // After the rotation, a slot id that was made with neither the old nor the new secret is still refused.
      const slot = shown[180]
      assert.ok(slot)
      const [first = '', ...others] = String(slot.availabilityId)
      const forgedId = [first === 'A' ? 'B' : 'A', ...others].join('')
      const forged = { ...slot, availabilityId: forgedId, customerId: customer }
      assert.equal((await service.call('POST', '/reservations/add/', { body: forged })).body.reason, 'slot_invalid')
      await service.stop()
      await service.restart({ now: now + 2_400 })
      const { availabilityId, serviceId, providerId, start, end } = slot
      const late = { availabilityId, serviceId, providerId, start, end, customerId: customer }
      const refused = await service.call('POST', '/reservations/add/', { body: late })
      assert.deepEqual([refused.status, refused.body.reason], [403, 'slot_invalid'])
    })

    test('links of customers stay valid, and are void once they are rotated as well', async () => {
      const [slot, ...others] = await slots()
      assert.ok(slot)
      const { availabilityId, serviceId, providerId, start, end } = slot
      const jo = { name: 'Jo', email: 'jo@list.example' }
      const customerId = (await service.call('POST', '/customers/add/', { body: jo })).body.id
      const body = { availabilityId, serviceId, providerId, start, end, customerId }
      const { id } = (await service.call('POST', '/reservations/add/', { body })).body
      const link = async () => {
        const [site] = await sql('select link_secret from site')
        return managePath({ linkSecret: String(site?.link_secret) }, { id, linkVersion: 0 })
      }
      const statusOf = async (path: string) => (await fetch(service.url + path, { redirect: 'manual' })).status
      const rotate = async (...options: readonly string[]) => {
        const { code, stderr } = await service.daybook('secret', 'rotate', ...options)
        assert.equal(code, 0, stderr)
      }
      const mailed = await link()
      assert.equal(await statusOf(mailed), 303)
      await rotate()
      assert.equal(await statusOf(mailed), 303)
      await rotate('--links')
      assert.equal(await statusOf(mailed), 404)
      assert.equal(await statusOf(await link()), 303)
      // Slot ids from before both commands, which a leak calls for, stay valid.
      const listed = others.find((other) => other.start !== slot.start)
      assert.ok(listed)
      const again = await service.call('POST', '/reservations/add/', {
        body: {
          ...{ availabilityId: listed.availabilityId, serviceId: listed.serviceId, providerId: listed.providerId },
          ...{ start: listed.start, end: listed.end, customerId },
        },
      })
      assert.equal(again.status, 200, again.text)
    })

    test('second factors and accounts are re-encrypted with a new key, and both keys are accepted meanwhile', async () => {
      const ann = new BrowserClient(service)
      const setUp = await ann.post('/set-up/', { secret: setUpSecret(service), name: 'Ann', ...entry })
      assert.equal(setUp.status, 200, setUp.text)
      const file = join(service.dataDir, 'secret.key')
      const key = kind === 'postgres' ? oldKey : oldKey.replaceAll('5', '6')
      if (kind === 'sqlite') writeFileSync(file, `${key}\n`, { mode: 0o600 })
      const [user] = await sql('select id from person')
      const id = String(user?.id)
      const secret = new Secret({ size: 20 })
      const sealed = sealTotp([Buffer.from(key, 'hex')], id, secret.base32)
      await sql('insert into totp (person_id, secret, created_at, confirmed_at, last_step) values (?, ?, ?, ?, 0)', [
        id,
        sealed,
        now,
        now,
      ])
      const host = encrypt([Buffer.from(key, 'hex')], 'dbh_secret', hostSecretPlace)
      await sql("insert into host_secret (id, sealed, created_at) values ('site', ?, ?)", [host, now])
      const account = encrypt([Buffer.from(key, 'hex')], 'credentials', accountPlace('cac_1'))
      await sql(
        `insert into calendar_account (id, provider_id, kind, login, host, secret, created_at)
         values ('cac_1', 1, 'caldav', 'ana', 'dav.example', ?, ?)`,
        [account, now],
      )
      const app = encrypt([Buffer.from(key, 'hex')], 'client secret', appPlace('google'))
      await sql("insert into calendar_app (kind, client_id, secret) values ('google', 'client', ?)", [app])
      // A calendar of an account has no secret of its own; the service reads it with the account's credentials.
      await sql(
        `insert into connected_calendar (id, provider_id, kind, name, host, secret, blocking, next_at, created_at, updated_at, account_id, remote)
         values ('cal_1', 1, 'caldav', 'Work', 'dav.example', '', '{}', ?, ?, ?, 'cac_1', 'https://dav.example/')`,
        [now + 1_000_000, now, now],
      )
      const sealedBefore = (text: string, place: string) => encrypt([Buffer.from(key, 'hex')], text, place)
      await sql(
        `insert into webhook_endpoint (id, url, description, events, headers, payload_version, secret, previous_secret, enabled, created_at, updated_at)
         values ('wh_1', 'https://hooks.example/', '', '["*"]', ?, '1', ?, ?, 0, 1, 1)`,
        [
          sealedBefore('{}', headersPlace('wh_1')),
          sealedBefore('whsec_now', secretPlace('wh_1')),
          sealedBefore('whsec_before', secretPlace('wh_1')),
        ],
      )
      await sql(
        `insert into notification_settings (id, body, smtp_password, gateway_secret, updated_at) values ('site', '{}', ?, ?, 1)`,
        [sealedBefore('of the mail server', passwordPlace), sealedBefore('{}', gatewayPlace)],
      )
      await sql(
        `insert into connected_calendar (id, provider_id, kind, name, host, secret, blocking, next_at, created_at, updated_at)
         values ('cal_2', 1, 'ics', 'Own', 'ics.example', ?, '{}', ?, ?, ?)`,
        [sealedBefore('https://ics.example/a', calendarPlace('cal_2')), now + 1_000_000, now, now],
      )
      const signIn = async (step: number) => {
        const at = await new BrowserClient(service).serverNow()
        const code = new TOTP({ secret }).generate({ timestamp: (at + step * 30) * 1000 })
        return (await new BrowserClient(service).post('/session/sign-in/', { ...entry, code })).body.response?.state
      }
      assert.equal(await signIn(0), 'signed_in')
      if (kind === 'postgres') {
        const early = await service.daybook('key', 'rotate')
        assert.equal(early.code, 1, early.stdout)
        env.DAYBOOK_SECRET_KEY = `${newKey},${oldKey}`
        await service.kill()
        service = await startService({ databaseUrl: service.databaseUrl ?? '', now: now + 3_000, env, beside: service })
      }
      const { code, stdout, stderr } = await service.daybook('key', 'rotate')
      assert.equal(code, 0, stderr)
      assert.match(stdout, /Encrypted 8 secrets /)
      const [row] = await sql('select secret from totp')
      assert.notEqual(row?.secret, sealed)
      const [again] = await sql('select sealed from host_secret')
      const current = kind === 'sqlite' ? readFileSync(file, 'utf8').trim() : newKey
      assert.equal(decrypt([Buffer.from(current, 'hex')], String(again?.sealed), hostSecretPlace), 'dbh_secret')
      const [connected] = await sql('select secret from calendar_account')
      assert.equal(
        decrypt([Buffer.from(current, 'hex')], String(connected?.secret), accountPlace('cac_1')),
        'credentials',
      )
      const [registered] = await sql('select secret from calendar_app')
      assert.equal(
        decrypt([Buffer.from(current, 'hex')], String(registered?.secret), appPlace('google')),
        'client secret',
      )
      const read = (sealed: unknown, place: string) => decrypt([Buffer.from(current, 'hex')], String(sealed), place)
      const [webhook] = await sql('select secret, previous_secret, headers from webhook_endpoint')
      assert.equal(read(webhook?.secret, secretPlace('wh_1')), 'whsec_now')
      assert.equal(read(webhook?.previous_secret, secretPlace('wh_1')), 'whsec_before')
      assert.equal(read(webhook?.headers, headersPlace('wh_1')), '{}')
      const [settings] = await sql('select smtp_password, gateway_secret from notification_settings')
      assert.equal(read(settings?.smtp_password, passwordPlace), 'of the mail server')
      assert.equal(read(settings?.gateway_secret, gatewayPlace), '{}')
      const [own] = await sql("select secret from connected_calendar where id = 'cal_2'")
      assert.equal(read(own?.secret, calendarPlace('cal_2')), 'https://ics.example/a')
      if (kind === 'sqlite') {
        const kept = readFileSync(file, 'utf8').trim().split('\n')
        assert.ok(kept.length === 1 && kept[0] !== key)
        assert.ok(!existsSync(`${file}.new`))
        assert.equal(await signIn(1), 'signed_in')
      } else {
        env.DAYBOOK_SECRET_KEY = newKey
        await service.kill()
        service = await startService({ databaseUrl: service.databaseUrl ?? '', now: now + 5_000, env, beside: service })
        assert.equal(await signIn(0), 'signed_in')
        await service.kill()
      }
    })
  })
})
