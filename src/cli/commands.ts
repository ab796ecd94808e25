import type { CommandEntry } from './framework/command.ts'

/** Every command of the command line by its words, in the order of the help text. */
export const cliCommands: ReadonlyMap<string, CommandEntry> = new Map([
  ['serve', { summary: 'Runs the service.', load: async () => (await import('./serve/serve.ts')).serve }],
  [
    'token create',
    {
      summary: 'Creates an API token and prints its secret, once.',
      load: async () => (await import('./access/token-create.ts')).tokenCreate,
    },
  ],
  [
    'token list',
    {
      summary:
        'Lists the API tokens, one per line, tab-separated: id, name, scope, created, expires, last used, from, state.',
      load: async () => (await import('./access/token-list.ts')).tokenList,
    },
  ],
  [
    'token revoke',
    {
      summary: 'Revokes an API token.',
      load: async () => (await import('./access/token-revoke.ts')).tokenRevoke,
    },
  ],
  [
    'user create',
    {
      summary: 'Creates a user of the panel and prints a one-time link to set a password.',
      load: async () => (await import('./access/user-create.ts')).userCreate,
    },
  ],
  [
    'user link',
    {
      summary: 'Creates a one-time link for a user to set a new password.',
      load: async () => (await import('./access/user-link.ts')).userLink,
    },
  ],
  [
    'webhook list',
    {
      summary:
        'Lists the webhooks, one per line, tab-separated: id, state, address, events, last success, description.',
      load: async () => (await import('./webhooks/webhook-list.ts')).webhookList,
    },
  ],
  [
    'webhook test',
    {
      summary: 'Sends a test event to the webhook ID.',
      load: async () => (await import('./webhooks/webhook-test.ts')).webhookTest,
    },
  ],
  [
    'webhook replay',
    {
      summary: 'Sends every event since an instant to the webhook ID again.',
      load: async () => (await import('./webhooks/webhook-replay.ts')).webhookReplay,
    },
  ],
  [
    'listen',
    {
      summary: 'Forwards events to a program on this machine, signed as webhooks are; for local development.',
      load: async () => (await import('./webhooks/listen.ts')).listen,
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
      summary: 'Writes the site as a site file, to stdout or to FILE, which is replaced atomically.',
      load: async () => (await import('./data/export.ts')).exportCommand,
    },
  ],
  [
    'backup',
    {
      summary: 'Copies the embedded database to FILE and checks the copy, while the service runs.',
      load: async () => (await import('./data/backup.ts')).backup,
    },
  ],
  [
    'record-backup',
    {
      summary: 'Records that other tools, such as pg_dump, made a backup; its age is counted from then.',
      load: async () => (await import('./data/record-backup.ts')).recordBackup,
    },
  ],
  [
    'restore',
    {
      summary: 'Replaces the embedded database with the backup FILE and keeps the previous one beside it.',
      load: async () => (await import('./data/restore.ts')).restore,
    },
  ],
  [
    'copy',
    {
      summary: 'Copies the database to another one, SQLite or PostgreSQL, and compares both. Stop the service first.',
      load: async () => (await import('./data/copy.ts')).copy,
    },
  ],
  [
    'verify',
    {
      summary: 'Checks the backup FILE: integrity, schema, agreement of occupancy and reservations.',
      load: async () => (await import('./data/verify.ts')).verify,
    },
  ],
  [
    'explain',
    {
      summary: 'Prints the verdict of every booking rule for one slot.',
      load: async () => (await import('./explain.ts')).explain,
    },
  ],
  [
    'doctor',
    {
      summary: 'Checks everything a healthy installation needs and recommends what to do.',
      load: async () => (await import('./doctor/doctor.ts')).doctor,
    },
  ],
  [
    'migrate',
    { summary: 'Applies database migrations.', load: async () => (await import('./data/migrate.ts')).migrate },
  ],
  [
    'secret rotate',
    {
      summary: 'Replaces the secret of slot ids; ids listed before stay valid for 30 minutes.',
      load: async () => (await import('./access/secret-rotate.ts')).secretRotate,
    },
  ],
  [
    'key rotate',
    {
      summary: 'Encrypts the stored secrets with a new key, while the service runs.',
      load: async () => (await import('./access/key-rotate.ts')).keyRotate,
    },
  ],
  [
    'vacuum',
    {
      summary: 'Rewrites the database so that no byte of deleted and erased rows remains. Stop the service first.',
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

/**
 * Returns the command whose words the arguments begin with, and the remaining arguments; undefined for unknown words.
 */
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
