import assert from 'node:assert/strict'
import type { ServiceProcess } from './service.ts'
import type { Sql } from './sql.ts'

/** An API token that `makeToken` created, with its secret. */
export interface MadeToken {
  readonly id: string
  readonly name: string
  readonly secret: string
}

/** One line of the output of `daybook token list`. */
export interface ListedToken {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly lastUsed: string
  readonly lastAddress: string
  readonly state: string
}

/** Creates an API token with `daybook token create`; fails unless the command succeeds. */
export async function makeToken(
  { server, sql }: { readonly server: ServiceProcess; readonly sql: Sql },
  name: string,
  scope: 'read' | 'write',
  ...more: readonly string[]
): Promise<MadeToken> {
  const { code, stdout, stderr } = await server.daybook('token', 'create', '--name', name, '--scope', scope, ...more)
  assert.equal(code, 0, stderr)
  const [row] = await sql('select id from token where name = ?', [name])
  return { id: String(row?.id), name, secret: stdout.trim() }
}

/** Returns the line of one token in the output of `daybook token list`; fails when no token has the name. */
export async function listedToken(service: ServiceProcess, name: string): Promise<ListedToken> {
  const { code, stdout, stderr } = await service.daybook('token', 'list')
  assert.equal(code, 0, stderr)
  for (const line of stdout.split('\n')) {
    const [id = '', called = '', scope = '', , , lastUsed = '', lastAddress = '', state = ''] = line.split('\t')
    if (called === name) return { id, name, scope, lastUsed, lastAddress, state }
  }
  return assert.fail(`No token is called ${name}.`)
}

/** Returns the secret of a token with the last character of its checksum changed. */
export function misspelt(secret: string): string {
  return secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
}
