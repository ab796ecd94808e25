import { type TokenRecord, tokenState } from '../../access/tokens/token.ts'
import { listTokens } from '../../access/tokens/tokens.sql.ts'
import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'

/**
 * Prints one line per API token: id, name, scope, created, expires, last used, address, state; times in UTC, `-` for
 * none. With `--json`, prints one array.
 */
export const tokenList: DataCommand = {
  on: 'data',
  options: { json: { description: 'Prints the list as JSON, times in Unix seconds.' } },
  settings: dataSettings,
  positionals: [],
  async run(app, { flags }) {
    const now = app.now()
    const tokens = await listTokens(app.db)
    if (flags.json === true) return done(`${JSON.stringify(tokens.map((token) => inJson(token, now)))}\n`)
    return done(tokens.map((token) => `${columns(token, now).join('\t')}\n`).join(''))
  },
}

function inJson(token: TokenRecord, now: number) {
  const { id, name, scope, createdAt, expiresAt, lastUsedAt, lastUsedAddress } = token
  return { id, name, scope, createdAt, expiresAt, lastUsedAt, lastUsedAddress, state: tokenState(token, now) }
}

function columns(token: TokenRecord, now: number): string[] {
  return [
    token.id,
    token.name,
    token.scope,
    time(token.createdAt),
    time(token.expiresAt),
    time(token.lastUsedAt),
    token.lastUsedAddress ?? '-',
    tokenState(token, now),
  ]
}

function time(instant: number | null): string {
  return instant === null ? '-' : new Date(instant * 1000).toISOString().replace('.000', '')
}
