import { listTotpSecrets } from '../../access/second-factors/second-factors.sql.ts'
import { isTotpCurrent, sealTotp, unsealTotp } from '../../access/second-factors/totp.ts'
import { hostSecretPlace } from '../../booking-page/host/host-secret.operations.ts'
import { findHostSecret } from '../../booking-page/host/host-secret.sql.ts'
import { accountPlace } from '../../calendars/accounts/account.ts'
import { listAccounts } from '../../calendars/accounts/accounts.sql.ts'
import { calendarPlace } from '../../calendars/calendar.ts'
import { listCalendars } from '../../calendars/calendars.sql.ts'
import { findApp } from '../../calendars/oauth/oauth.sql.ts'
import { appPlace, type GrantKind, grantKinds } from '../../calendars/oauth/oauth.ts'
import { dataSettings } from '../../config.ts'
import { decrypt, encrypt, isCurrent, type KeyRing } from '../../encryption.ts'
import { gatewayPlace, passwordPlace } from '../../notifications/notifications.operations.ts'
import { loadSettings } from '../../notifications/notifications.sql.ts'
import { processorPlace } from '../../payments/settings/payment-settings.operations.ts'
import { findProcessor } from '../../payments/settings/payment-settings.sql.ts'
import { addKey, dropOldKey, keyFinder } from '../../server/secret-key.ts'
import { headersPlace, secretPlace } from '../../webhooks/delivery.job.ts'
import { listEndpoints } from '../../webhooks/endpoints.sql.ts'
import { type CommandApp, type DataCommand, done, refused } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/**
 * Re-encrypts all stored secrets, such as those of authenticator apps, webhooks and connected calendars. On SQLite
 * without `DAYBOOK_SECRET_KEY`, the command generates the new key; otherwise, it uses the first of the two keys in
 * `DAYBOOK_SECRET_KEY`. An interrupted rotation is resumed when the command is run again.
 */
export const keyRotate: DataCommand = {
  on: 'data',
  options: {},
  settings: [...dataSettings, 'secretKey'],
  positionals: [],
  async run(app) {
    if (app.secretKey === undefined && app.dataDir !== undefined) {
      const ring = await addKey(app.dataDir)
      const count = await encryptAgain(app, ring)
      await dropOldKey(app.dataDir, ring)
      return done(`Encrypted ${secretsText(count)} with a new key. Copy secret.key with the next backup.\n`)
    }
    const ring = await keyFinder(app)()
    if (!ring) return refused('There is no key: set DAYBOOK_SECRET_KEY, the same for every node.')
    if (ring.length === 1) {
      return refused('Set DAYBOOK_SECRET_KEY to NEW,OLD on every node first; the operations guide has the steps.')
    }
    const count = await encryptAgain(app, ring)
    return done(`Encrypted ${secretsText(count)} with the first key. Now leave the second one out on every node.\n`)
  },
}

/**
 * Re-encrypts secrets until all are encrypted with the first key of the key ring, including secrets that are stored
 * meanwhile. Returns the number of re-encrypted records; all secrets of one webhook endpoint are one record.
 */
async function encryptAgain(app: CommandApp, ring: KeyRing): Promise<number> {
  const secrets = await listTotpSecrets(app.db)
  const old = secrets.filter(({ userId, secret }) => !isTotpCurrent(ring, userId, secret))
  for (const { userId, secret } of old) {
    const to = sealTotp(ring, userId, unsealTotp(ring, userId, secret))
    await performCommand(app, 'second-factors.totp.reseal', { userId, from: secret, to }, { by: 'key rotate' })
  }
  const others =
    (await encryptWebhooks(app, ring)) +
    (await encryptSettings(app, ring)) +
    (await encryptHostSecret(app, ring)) +
    (await encryptCalendars(app, ring)) +
    (await encryptProcessor(app, ring))
  return old.length + others === 0 ? 0 : old.length + others + (await encryptAgain(app, ring))
}

async function encryptWebhooks(app: CommandApp, ring: KeyRing): Promise<number> {
  const endpoints = await listEndpoints(app.db)
  const old = endpoints.filter(
    ({ id, secret, previousSecret, headers }) =>
      !isCurrent(ring, headers, headersPlace(id)) ||
      [secret, previousSecret].some((sealed) => sealed !== null && !isCurrent(ring, sealed, secretPlace(id))),
  )
  for (const { id, secret, previousSecret, headers } of old) {
    const again = (sealed: string, place: string) => encrypt(ring, decrypt(ring, sealed, place), place)
    const to = {
      secret: again(secret, secretPlace(id)),
      previousSecret: previousSecret === null ? null : again(previousSecret, secretPlace(id)),
      headers: again(headers, headersPlace(id)),
    }
    await performCommand(
      app,
      'webhooks.reseal',
      { id, from: { secret, previousSecret, headers }, to },
      { by: 'key rotate' },
    )
  }
  return old.length
}

async function encryptSettings(app: CommandApp, ring: KeyRing): Promise<number> {
  const stored = await loadSettings(app.db)
  let count = 0
  for (const [secret, place] of [
    ['sealedPassword', passwordPlace],
    ['sealedGateway', gatewayPlace],
  ] as const) {
    const from = stored[secret]
    if (from === null || isCurrent(ring, from, place)) continue
    const to = encrypt(ring, decrypt(ring, from, place), place)
    await performCommand(app, 'notifications.reseal', { secret, from, to }, { by: 'key rotate' })
    count += 1
  }
  return count
}

async function encryptHostSecret(app: CommandApp, ring: KeyRing): Promise<number> {
  const from = (await findHostSecret(app.db))?.sealed
  if (from === undefined || isCurrent(ring, from, hostSecretPlace)) return 0
  const to = encrypt(ring, decrypt(ring, from, hostSecretPlace), hostSecretPlace)
  await performCommand(app, 'booking-page.host-secret.reseal', { from, to }, { by: 'key rotate' })
  return 1
}

async function encryptProcessor(app: CommandApp, ring: KeyRing): Promise<number> {
  const from = (await findProcessor(app.db))?.sealed
  if (from === undefined || isCurrent(ring, from, processorPlace)) return 0
  const to = encrypt(ring, decrypt(ring, from, processorPlace), processorPlace)
  await performCommand(app, 'payments.reseal', { from, to }, { by: 'key rotate' })
  return 1
}

async function encryptCalendars(app: CommandApp, ring: KeyRing): Promise<number> {
  const calendars = (await listCalendars(app.db)).filter(({ account }) => account === null)
  const old = calendars.filter(({ id, sealed }) => !isCurrent(ring, sealed, calendarPlace(id)))
  for (const { id, sealed: from } of old) {
    const to = encrypt(ring, decrypt(ring, from, calendarPlace(id)), calendarPlace(id))
    await performCommand(app, 'calendars.reseal', { id, from, to }, { by: 'key rotate' })
  }
  return old.length + (await encryptAccounts(app, ring)) + (await encryptApps(app, ring))
}

async function encryptAccounts(app: CommandApp, ring: KeyRing): Promise<number> {
  const accounts = await listAccounts(app.db)
  const old = accounts.filter(({ id, sealed }) => !isCurrent(ring, sealed, accountPlace(id)))
  for (const { id, sealed: from } of old) {
    const to = encrypt(ring, decrypt(ring, from, accountPlace(id)), accountPlace(id))
    await performCommand(app, 'calendars.accounts.reseal', { id, from, to }, { by: 'key rotate' })
  }
  return old.length
}

async function encryptApps(app: CommandApp, ring: KeyRing): Promise<number> {
  let count = 0
  for (const kind of grantKinds) count += await encryptApp(app, ring, kind)
  return count
}

async function encryptApp(app: CommandApp, ring: KeyRing, kind: GrantKind): Promise<number> {
  const from = (await findApp(app.db, kind))?.sealed
  if (from === undefined || isCurrent(ring, from, appPlace(kind))) return 0
  const to = encrypt(ring, decrypt(ring, from, appPlace(kind)), appPlace(kind))
  await performCommand(app, 'calendars.apps.reseal', { kind, from, to }, { by: 'key rotate' })
  return 1
}

function secretsText(count: number): string {
  return count === 1 ? '1 secret' : `${count} secrets`
}
