import type { CommandEntry } from './framework/command.ts'

/** Every command by the words it is called with, in the order of the help text. */
export const cliCommands: ReadonlyMap<string, CommandEntry> = new Map([
  ['serve', { summary: 'Runs the service.', load: async () => (await import('./serve/serve.ts')).serve }],
  [
    'token create',
    {
      summary: 'Makes an API token and prints its secret, once.',
      load: async () => (await import('./access/token-create.ts')).tokenCreate,
    },
  ],
  [
    'token list',
    {
      summary:
        'Lists the API tokens, one a line, tab-separated: id, name, scope, created, expires, last used, from, state.',
      load: async () => (await import('./access/token-list.ts')).tokenList,
    },
  ],
  [
    'token revoke',
    {
      summary: 'Takes an API token out of use for good.',
      load: async () => (await import('./access/token-revoke.ts')).tokenRevoke,
    },
  ],
  [
    'user create',
    {
      summary: 'Makes a user of the panel and prints a one-time link to set a password.',
      load: async () => (await import('./access/user-create.ts')).userCreate,
    },
  ],
  [
    'user link',
    {
      summary: 'Makes a one-time link for a user to set a new password.',
      load: async () => (await import('./access/user-link.ts')).userLink,
    },
  ],
  [
    'apply',
    {
      summary: 'Makes the site match a site file; removes nothing. FILE is a path, or - for stdin.',
      load: async () => (await import('./data/apply.ts')).apply,
    },
  ],
  [
    'export',
    {
      summary: 'Writes the site as a site file, to stdout or to FILE, which is replaced once all is written.',
      load: async () => (await import('./data/export.ts')).exportCommand,
    },
  ],
  [
    'backup',
    {
      summary: 'Copies the embedded database to FILE and checks the copy, while the service goes on.',
      load: async () => (await import('./data/backup.ts')).backup,
    },
  ],
  [
    'restore',
    {
      summary: 'Puts the backup FILE in the place of the embedded database, which is kept beside it.',
      load: async () => (await import('./data/restore.ts')).restore,
    },
  ],
  [
    'verify',
    {
      summary: 'Says whether the backup FILE is sound: whole, of a known schema, occupancy and reservations at one.',
      load: async () => (await import('./data/verify.ts')).verify,
    },
  ],
  [
    'explain',
    {
      summary: 'Says of one slot what every booking rule says of it.',
      load: async () => (await import('./explain.ts')).explain,
    },
  ],
  [
    'doctor',
    {
      summary: 'Checks everything a healthy installation needs and says what to do.',
      load: async () => (await import('./doctor/doctor.ts')).doctor,
    },
  ],
  [
    'migrate',
    { summary: 'Brings the database up to date.', load: async () => (await import('./data/migrate.ts')).migrate },
  ],
  [
    'secret rotate',
    {
      summary: 'Replaces the secret of slot ids; those already shown stay valid for 30 minutes.',
      load: async () => (await import('./access/secret-rotate.ts')).secretRotate,
    },
  ],
  [
    'key rotate',
    {
      summary: 'Encrypts second factors with a new key, while the service runs.',
      load: async () => (await import('./access/key-rotate.ts')).keyRotate,
    },
  ],
  [
    'vacuum',
    {
      summary:
        'Rewrites the database, so that no byte of deleted and erased rows is left in it. Stop the service first.',
      load: async () => (await import('./data/vacuum.ts')).vacuum,
    },
  ],
  [
    'completion',
    {
      summary: 'Prints the script that completes these commands in a shell: bash, zsh or fish.',
      load: async () => (await import('./framework/completion.ts')).completionOf(cliCommands),
    },
  ],
])

/** The command that the arguments begin with, and the arguments after it. */
export function findCommand(
  argv: readonly string[],
): { readonly name: string; readonly entry: CommandEntry; readonly rest: readonly string[] } | undefined {
  for (const words of [2, 1]) {
    const name = argv.slice(0, words).join(' ')
    const entry = cliCommands.get(name)
    if (entry) return { name, entry, rest: argv.slice(words) }
  }
  return undefined
}
