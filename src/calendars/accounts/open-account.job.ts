import type { Database } from '../../db/database.ts'
import { findDecrypted } from '../../encryption.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { endpointsOf } from '../oauth/oauth.ts'
import { type AccountSecret, accountPlace, type CalendarAccount } from './account.ts'
import type { AccountClient } from './account-client.ts'
import type { AccountOpening } from './account-opening.job.ts'
import { findAccount } from './accounts.sql.ts'

const usualTimeout = 30_000

/**
 * Returns a client for an account without sending a request. Throws a `CalendarFault` when there is no secret key, or
 * when the credentials of a CalDAV account cannot be decrypted.
 */
export async function openAccount(
  opening: AccountOpening,
  account: Pick<CalendarAccount, 'id' | 'kind' | 'sealed' | 'revision'>,
  signal?: AbortSignal,
): Promise<AccountClient> {
  const { client, findKey, version, timeout = usualTimeout } = opening
  const { id, kind, sealed } = account
  const { now } = opening.app
  const keys = await findKey()
  if (keys && kind !== 'caldav') {
    const { accessToken } = await import('../oauth/access-token.job.ts')
    const endpoints = endpointsOf(kind, opening.grantUrls)
    const token = (refused?: string) => accessToken({ opening, account, endpoints, keys }, refused)
    const granted = { client, version, apiUrl: endpoints.api, accessToken: token, timeout, signal, now }
    if (kind === 'google') return new (await import('../google/google-client.job.ts')).GoogleClient(granted)
    const { MicrosoftClient } = await import('../microsoft/microsoft-client.job.ts')
    return new MicrosoftClient(granted)
  }
  const text = keys && findDecrypted(keys, sealed, accountPlace(id))
  if (text === undefined) throw new CalendarFault('no_key')
  const secret: AccountSecret = JSON.parse(text)
  // The CalDAV client is imported when the first CalDAV account is opened, so that a site without such accounts does
  // not use memory for the XML parser.
  const { CaldavClient } = await import('../caldav/caldav-client.job.ts')
  return new CaldavClient({ client, version, secret, timeout, signal, now })
}

/**
 * Returns what `openAccount` returns for the account with the given id; throws a `CalendarFault` when there is none.
 */
export async function openAccountById(
  opening: AccountOpening,
  { db, id }: { readonly db: Database; readonly id: string },
  signal?: AbortSignal,
): Promise<AccountClient> {
  const account = await findAccount(db, id)
  if (!account) throw new CalendarFault('not_found')
  return openAccount(opening, account, signal)
}
