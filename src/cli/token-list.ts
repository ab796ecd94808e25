import { dataSettings } from '../config.ts'
import { type TokenRecord, tokenState } from '../domain/token.ts'
import { listTokens } from '../storage/tokens.ts'
import { type DataCommand, done } from './command.ts'

/** One line a token: id, name, scope, created, expires, last used, from where, state; times in UTC, `-` for none. */
export const tokenList: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run(app) {
    const now = app.now()
    return done((await listTokens(app.db)).map((token) => `${columns(token, now).join('\t')}\n`).join(''))
  },
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
