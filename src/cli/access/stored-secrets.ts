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
import type { Database } from '../../db/database.ts'
import { gatewayPlace, passwordPlace } from '../../notifications/notifications.operations.ts'
import { loadSettings } from '../../notifications/notifications.sql.ts'
import { processorPlace } from '../../payments/settings/payment-settings.operations.ts'
import { findProcessor } from '../../payments/settings/payment-settings.sql.ts'
import { headersPlace, secretPlace } from '../../webhooks/delivery.job.ts'
import { listEndpoints } from '../../webhooks/endpoints.sql.ts'

/** An encrypted secret as it is stored, and the place to which it is bound (see `encrypt`). */
interface StoredSecret {
  readonly sealed: string
  readonly place: string
}

/** Lists every secret that is stored encrypted: those that `key rotate` encrypts again. */
export async function listStoredSecrets(db: Database): Promise<readonly StoredSecret[]> {
  const totps = await listTotpSecrets(db)
  const endpoints = await listEndpoints(db)
  const { sealedPassword, sealedGateway } = await loadSettings(db)
  const calendars = (await listCalendars(db)).filter(({ account }) => account === null)
  const accounts = await listAccounts(db)
  const apps = await Promise.all(
    grantKinds.map(async (kind) => ({ sealed: (await findApp(db, kind))?.sealed, place: appPlace(kind) })),
  )
  const found = [
    ...totps.map(({ userId, secret }) => ({ sealed: secret, place: totpPlace(userId) })),
    ...endpoints.flatMap(({ id, secret, previousSecret, headers }) => [
      ...[secret, previousSecret].map((sealed) => ({ sealed, place: secretPlace(id) })),
      { sealed: headers, place: headersPlace(id) },
    ]),
    { sealed: sealedPassword, place: passwordPlace },
    { sealed: sealedGateway, place: gatewayPlace },
    { sealed: (await findHostSecret(db))?.sealed, place: hostSecretPlace },
    { sealed: (await findProcessor(db))?.sealed, place: processorPlace },
    ...calendars.map(({ id, sealed }) => ({ sealed, place: calendarPlace(id) })),
    ...accounts.map(({ id, sealed }) => ({ sealed, place: accountPlace(id) })),
    ...apps,
  ]
  return found.flatMap(({ sealed, place }) => (sealed == null ? [] : [{ sealed, place }]))
}
