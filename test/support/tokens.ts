import assert from 'node:assert/strict'
import type { Service } from './service.ts'
import type { Sql } from './sql.ts'

/** A token created by a test. */
export interface MadeToken {
  readonly id: string
  readonly name: string
  readonly secret: string
}

/** One line of the list of tokens. */
export interface ListedToken {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly lastUsed: string
  readonly lastAddress: string
  readonly state: string
}

/** Creates a token with the command, as an administrator would. */
export async function makeToken(
  { server, sql }: { readonly server: Service; readonly sql: Sql },
  name: string,
  scope: 'read' | 'write',
  ...more: readonly string[]
): Promise<MadeToken> {
  const { code, stdout, stderr } = await server.daybook('token', 'create', '--name', name, '--scope', scope, ...more)
  assert.equal(code, 0, stderr)
  const [row] = await sql('select id from token where name = ?', [name])
  return { id: String(row?.id), name, secret: stdout.trim() }
}

/** Returns the line of one token in the output of `daybook token list`. */
export async function listedToken(service: Service, name: string): Promise<ListedToken> {
  const { code, stdout, stderr } = await service.daybook('token', 'list')
  assert.equal(code, 0, stderr)
  for (const line of stdout.split('\n')) {
    const [id = '', called = '', scope = '', , , lastUsed = '', lastAddress = '', state = ''] = line.split('\t')
    if (called === name) return { id, name, scope, lastUsed, lastAddress, state }
  }
  return assert.fail(`No token is called ${name}.`)
}

/** Returns the secret with one character of its checksum changed. */
export function misspelt(secret: string): string {
  return secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A')
}
