import type { Command } from './command.ts'

/** A command as the list of all knows it; its file is read when it is called. */
export interface Entry {
  readonly summary: string
  load(): Promise<Command>
}

/** Every command by the words it is called with, in the order of the help text. */
export const commands: ReadonlyMap<string, Entry> = new Map([
  ['serve', { summary: 'Runs the service.', load: async () => (await import('./serve.ts')).serve }],
  [
    'token create',
    {
      summary: 'Makes an API token and prints its secret, once.',
      load: async () => (await import('./token-create.ts')).tokenCreate,
    },
  ],
  [
    'token list',
    {
      summary:
        'Lists the API tokens, one a line, tab-separated: id, name, scope, created, expires, last used, from, state.',
      load: async () => (await import('./token-list.ts')).tokenList,
    },
  ],
  [
    'token revoke',
    {
      summary: 'Takes an API token out of use for good.',
      load: async () => (await import('./token-revoke.ts')).tokenRevoke,
    },
  ],
  [
    'apply',
    {
      summary: 'Makes the site match a site file; removes nothing. FILE is a path, or - for stdin.',
      load: async () => (await import('./apply.ts')).apply,
    },
  ],
  ['migrate', { summary: 'Brings the database up to date.', load: async () => (await import('./migrate.ts')).migrate }],
])

/** The command that the arguments begin with, and the arguments after it. */
export function findCommand(
  argv: readonly string[],
): { readonly name: string; readonly entry: Entry; readonly rest: readonly string[] } | undefined {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ')
    const entry = commands.get(name)
    if (entry) return { name, entry, rest: argv.slice(words) }
  }
  return undefined
}
