import { dataSettings } from '../config.ts'
import { toInstant } from '../domain/schedule.ts'
import { hashSecret, newSecret } from '../operations/tokens.ts'
import { loadSite } from '../storage/site.ts'
import { ask } from './ask.ts'
import { type DataCommand, done, misused } from './command.ts'

/** Makes a token and prints its secret alone: nothing else is on stdout, and nothing shows it again. */
export const tokenCreate: DataCommand = {
  on: 'data',
  options: {
    name: { placeholder: 'N', sentence: 'What the token is called in lists; needed.' },
    scope: { placeholder: 'read|write', sentence: 'What it may do; write includes read; needed.' },
    expires: {
      placeholder: '90d',
      sentence: 'When it ends: in hours (12h), days (90d), weeks (8w), or as a date of the site.',
    },
  },
  settings: dataSettings,
  positionals: [],
  async run(app, { flags: { name, scope, expires } }) {
    const faults: string[] = []
    if (typeof name !== 'string' || !isName(name)) faults.push('--name is needed: one line of 1 to 200 characters.')
    if (scope !== 'read' && scope !== 'write') faults.push('--scope is needed: read or write.')
    const { site } = await loadSite(app.db)
    const expiresAt = expires === undefined ? null : endOf(String(expires), app.now(), site.timezone)
    if (expiresAt === undefined) faults.push('--expires must be like 12h, 90d, 8w, or a date like 2027-01-31.')
    if (
      faults.length > 0 ||
      typeof name !== 'string' ||
      expiresAt === undefined ||
      (scope !== 'read' && scope !== 'write')
    ) {
      return misused('token create', faults)
    }
    const secret = newSecret()
    await ask(app, 'tokens.create', { name, scope, expiresAt, hash: hashSecret(secret) }, { by: 'token create' })
    return done(`${secret}\n`)
  },
}

function isName(text: string): boolean {
  const name = text.trim()
  return name !== '' && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name)
}

const hours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 168 }

/** The instant that a span from `now` or the beginning of a local date names; undefined when the text is neither. */
function endOf(text: string, now: number, zone: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([hdw])$/.exec(text) ?? []
  if (count !== '') return now + Number(count) * (hours[unit] ?? 0) * 3_600
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? toInstant(zone, `${text}T00:00`) : undefined
}
