import { hashSecret, newSecret } from '../../access/tokens/tokens.operations.ts'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import { dataSettings } from '../../config.ts'
import { parseDate } from '../../scheduling/time/date.ts'
import { toInstant } from '../../scheduling/time/zone.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/** Creates an API token and prints only its secret to stdout. The secret cannot be shown again. */
export const tokenCreate: DataCommand = {
  on: 'data',
  options: {
    name: { placeholder: 'N', description: 'Name of the token in lists; required.' },
    scope: { placeholder: 'read|write', description: 'Scope; write includes read; required.' },
    expires: {
      placeholder: '90d',
      description: 'Expiry: in hours (12h), days (90d) or weeks (8w), or a date in the site’s zone.',
    },
  },
  settings: dataSettings,
  positionals: [],
  faults: ({ name, scope, expires }) => [
    ...(isName(name) ? [] : ['--name is needed: one line of 1 to 200 characters.']),
    ...(scope === 'read' || scope === 'write' ? [] : ['--scope is needed: read or write.']),
    ...(expires === undefined || isExpiry(expires) ? [] : ['--expires must be like 12h, 90d, 8w, or 2027-01-31.']),
  ],
  async run(app, { flags }) {
    const { site } = await loadSite(app.db)
    const secret = newSecret()
    const input = {
      name: String(flags.name),
      scope: flags.scope === 'write' ? ('write' as const) : ('read' as const),
      expiresAt: flags.expires === undefined ? null : expiry(String(flags.expires), app.now(), site.timezone),
      hash: hashSecret(secret),
    }
    await performCommand(app, 'tokens.create', input, { by: 'token create' })
    return done(`${secret}\n`)
  },
}

function isName(text: string | true | undefined): boolean {
  if (typeof text !== 'string') return false
  const name = text.trim()
  return name !== '' && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name)
}

const span = /^([1-9]\d{0,5})([hdw])$/

function isExpiry(text: string | true): boolean {
  return typeof text === 'string' && (span.test(text) || parseDate(text) !== undefined)
}

const hours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 }

/** Returns the expiry of a token in Unix seconds, for a duration from `now`, or for the start of a local date. */
function expiry(text: string, now: number, zone: string): number {
  const [, count = '', unit = ''] = span.exec(text) ?? []
  if (count !== '') return now + Number(count) * (hours[unit] ?? 0) * 3_600
  return toInstant(zone, `${text}T00:00`) ?? now
}
