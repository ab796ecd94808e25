import { listTotpSecrets } from '../../access/second-factors/second-factors.sql.ts'
import { totpPlace } from '../../access/second-factors/totp.ts'
import { hostSecretPlace } from '../../booking-page/host/host-secret.operations.ts'
import { findHostSecret } from '../../booking-page/host/host-secret.sql.ts'
import { accountPlace } from '../../calendars/accounts/account.ts'
import { listAccounts } from '../../calendars/accounts/accounts.sql.ts'
import { calendarPlace } from '../../calendars/calendar.ts'
import { listCalendars } from '../../calendars/calendars.sql.ts'
import { findApp } from '../../calendars/oauth/oauth.sql.ts'
import { appPlace, grantKinds } from '../../calendars/oauth/oauth.ts'
import { gatewayPlace, passwordPlace } from '../../notifications/notifications.operations.ts'
import { loadSettings } from '../../notifications/notifications.sql.ts'
import { processorPlace } from '../../payments/settings/payment-settings.operations.ts'
import { findProcessor } from '../../payments/settings/payment-settings.sql.ts'
import { headersPlace, secretPlace } from '../../webhooks/delivery.job.ts'
import { listEndpoints } from '../../webhooks/endpoints.sql.ts'
import type { CommandApp } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/** An encrypted secret as it is stored, and the place to which it is bound (see `encrypt`). */
interface StoredSecret {
  readonly sealed: string
  readonly place: string
}

/** Encrypts a stored secret again. */
type Encrypt = (sealed: string, place: string) => string

/** A record with encrypted secrets. */
export interface SecretRecord {
  readonly secrets: readonly StoredSecret[]
  /** Stores the secrets encrypted again; changes nothing if they have changed since they were listed. */
  replace(again: Encrypt): Promise<unknown>
}

const by = { by: 'key rotate' }

/** Lists every record in which secrets are stored encrypted. */
export async function listSecretRecords(app: CommandApp): Promise<readonly SecretRecord[]> {
  const { db } = app
  const { sealedPassword, sealedGateway } = await loadSettings(db)
  const apps = await Promise.all(grantKinds.map(async (kind) => ({ kind, found: await findApp(db, kind) })))
  return [
    ...(await listTotpSecrets(db)).map(({ userId, secret }) =>
      single(secret, totpPlace(userId), (from, to) =>
        performCommand(app, 'second-factors.totp.reseal', { userId, from, to }, by),
      ),
    ),
    ...(await listEndpoints(db)).map(({ id, secret, previousSecret, headers }) => ({
      secrets: [
        ...bound(secret, secretPlace(id)),
        ...bound(previousSecret, secretPlace(id)),
        ...bound(headers, headersPlace(id)),
      ],
      replace: (again: Encrypt) => {
        const to = {
          secret: again(secret, secretPlace(id)),
          previousSecret: previousSecret === null ? null : again(previousSecret, secretPlace(id)),
          headers: again(headers, headersPlace(id)),
        }
        return performCommand(app, 'webhooks.reseal', { id, from: { secret, previousSecret, headers }, to }, by)
      },
    })),
    single(sealedPassword, passwordPlace, (from, to) =>
      performCommand(app, 'notifications.reseal', { secret: 'sealedPassword', from, to }, by),
    ),
    single(sealedGateway, gatewayPlace, (from, to) =>
      performCommand(app, 'notifications.reseal', { secret: 'sealedGateway', from, to }, by),
    ),
    single((await findHostSecret(db))?.sealed, hostSecretPlace, (from, to) =>
      performCommand(app, 'booking-page.host-secret.reseal', { from, to }, by),
    ),
    ...(await listCalendars(db))
      .filter(({ account }) => account === null)
      .map(({ id, sealed }) =>
        single(sealed, calendarPlace(id), (from, to) => performCommand(app, 'calendars.reseal', { id, from, to }, by)),
      ),
    ...(await listAccounts(db)).map(({ id, sealed }) =>
      single(sealed, accountPlace(id), (from, to) =>
        performCommand(app, 'calendars.accounts.reseal', { id, from, to }, by),
      ),
    ),
    ...apps.map(({ kind, found }) =>
      single(found?.sealed, appPlace(kind), (from, to) =>
        performCommand(app, 'calendars.apps.reseal', { kind, from, to }, by),
      ),
    ),
    single((await findProcessor(db))?.sealed, processorPlace, (from, to) =>
      performCommand(app, 'payments.reseal', { from, to }, by),
    ),
  ]
}

/** Returns a record with one secret; without any, if none is stored. */
function single(
  sealed: string | null | undefined,
  place: string,
  replace: (from: string, to: string) => Promise<unknown>,
): SecretRecord {
  return {
    secrets: bound(sealed, place),
    replace: async (again) => (sealed == null ? undefined : replace(sealed, again(sealed, place))),
  }
}

function bound(sealed: string | null | undefined, place: string): readonly StoredSecret[] {
  return sealed == null ? [] : [{ sealed, place }]
}
