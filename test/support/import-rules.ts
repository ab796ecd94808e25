import type { Rules } from './architecture.ts'

const platform =
  /^src\/(?:(?:db|http|jobs|mail|metrics)\/|(?:clock|config|encryption|ids|log|semaphore|work-queue)\.ts$)/

/** The import rules and the permitted packages; ARCHITECTURE.md explains them. */
export const rules: Rules = {
  // The first matching pattern decides the role of a file.
  roles: [
    [/^web\/admin\//, 'panel'],
    [/^web\//, 'web'],
    [/^src\/(?:(?:cli|server)\/|main\.ts$|operations\.ts$)/, 'wiring'],
    [platform, 'platform'],
    [/\.(?:routes|job)\.ts$/, 'routes'],
    [/\.operations\.ts$/, 'operations'],
    [/\.sql\.ts$/, 'sql'],
    // State, cryptography and threads of a capability are not pure, like operations.
    [
      /^src\/(?:availability\/(?:cache\/|slot-id|slot-json)|notifications\/mail\/|access\/(?:passwords\/password-|second-factors\/totp)|webhooks\/(?:signature|template)\.)/,
      'operations',
    ],
    [/^src\//, 'pure'],
  ],
  imports: {
    pure: ['pure'],
    platform: ['pure', 'platform'],
    sql: ['pure', 'platform', 'sql'],
    operations: ['pure', 'platform', 'sql', 'operations'],
    routes: ['pure', 'platform', 'sql', 'operations', 'routes'],
    web: ['pure', 'web'],
    panel: ['pure', 'web', 'panel'],
  },
  // A route names the operations that it performs, so it needs their type.
  types: { routes: ['src/operations.ts'] },
  // Operations call only operations of the capabilities listed here: always downwards.
  capabilities: {
    access: [],
    history: [],
    maintenance: [],
    catalogue: ['access'],
    customers: ['history'],
    availability: ['catalogue'],
    reservations: ['availability', 'catalogue', 'customers', 'history'],
    reports: ['catalogue', 'reservations'],
    'site-file': ['reservations'],
    notifications: ['access', 'catalogue', 'customers', 'history', 'reservations'],
    webhooks: ['history'],
    undo: ['catalogue', 'customers', 'reservations'],
  },
  modules: [
    [/^src\/scheduling\/|^src\/messages\//, []],
    [/^src\/contract\//, ['typebox']],
    [/^src\/customers\/search\//, ['libphonenumber-js/min']],
    [
      /^src\/access\//,
      [
        '@simplewebauthn/server',
        '@zxcvbn-ts/*',
        'otpauth',
        'node:crypto',
        'node:util',
        'node:worker_threads',
        'node:timers/promises',
      ],
    ],
    [/^src\/db\//, ['kysely', 'pg', 'pg-cursor', 'node:*']],
    [/^src\/jobs\//, ['kysely']],
    [/^src\/mail\//, ['nodemailer']],
    [/^src\/notifications\/mail\//, ['ical-generator', 'liquidjs']],
    [/^src\/http\//, ['@fastify/proxy-addr', 'fastify', 'ipaddr.js', 'typebox', 'typebox/*', 'undici', 'node:*']],
    [/^src\/[^/]+\.ts$|^src\/metrics\//, ['pino', 'node:*']],
    [/\.sql\.ts$/, ['kysely']],
    [/^src\/webhooks\/(?:signature|template)\.ts$/, ['liquidjs', 'node:crypto']],
    [
      /\.(?:operations|routes)\.ts$|^src\/availability\//,
      ['kysely', 'node:crypto', 'node:fs/promises', 'node:stream', 'node:timers/promises', 'node:util'],
    ],
    [
      /^web\/admin\//,
      [
        '@mantine/*',
        '@simplewebauthn/browser',
        '@tabler/icons-react',
        '@tanstack/*',
        '@zxcvbn-ts/*',
        '@vitejs/plugin-react',
        'dayjs/locale/*',
        'i18next',
        'papaparse',
        'react',
        'react-dom/client',
        'react-i18next',
        'uqr',
        'vite',
      ],
    ],
  ],
  // Threads load the module that the main thread names.
  mayImportComputed: ['src/db/sqlite/list-thread.ts', 'src/db/sqlite/writer.ts'],
  forbidden: [
    {
      role: 'pure',
      words: /\b(?:Date\.now|new Date\b|Math\.random|process\.|performance\.|crypto\.|node:|setTimeout|fetch\()/,
      except: [],
    },
    { role: 'pure', words: /\bTemporal\b/, except: ['src/scheduling/time/zone.ts'] },
    { role: 'pure', words: /\bTemporal\.Now\b/, except: [] },
  ],
  mayCatch: {
    'src/db/perform/perform.ts': 'the write seam: a refusal becomes plain data, all else a fault',
    'src/db/sqlite/sqlite-writes.ts': 'the write seam: a batch that was not committed is answered as such',
    'src/db/postgres/invalidation-feed.ts': 'a poll that failed is repeated; nothing cached is served meanwhile',
    'src/db/postgres/postgres-writes.ts': 'the write seam: a deadlock is tried again, a fault is answered',
    'src/http/bind.ts': 'the door of requests: one place answers refusals and faults',
    'src/cli/framework/failure.ts': 'the door of commands: one place says what stopped one',
    'src/jobs/loop.ts': 'a job that failed is logged and comes again',
    'src/jobs/runner.ts': 'the door of jobs: one place records, retries and logs a failed one',
    'src/webhooks/delivery.job.ts': 'an attempt without a response is an entry of the delivery log',
    'src/webhooks/webhooks.routes.ts': 'the outbound client says "not reachable" by throwing',
    'src/http/outbound/outbound-client.ts': 'the door to other systems: every failure becomes one kind of error',
    'src/cli/serve/lock.ts': 'SQLite says "busy" by throwing',
    'src/db/sqlite/sqlite-file.ts': 'SQLite says "damaged" by throwing',
    'src/db/sqlite/list-thread.ts': 'the door of the thread: what stopped a list is told to whoever reads it',
    'src/site-file/read-site-file.routes.ts': 'JSON.parse says "not JSON" by throwing',
    'src/scheduling/time/zone.ts': 'Temporal says "no such zone" by throwing',
    'src/mail/smtp.ts': 'nodemailer says what the server answered by throwing',
    'src/notifications/mail/liquid.ts': 'LiquidJS says what is wrong with a template by throwing',
    'src/encryption.ts': 'Node says "another key" by throwing',
    'src/http/request/json.ts': 'JSON.parse says "not JSON" by throwing',
  },
  maxLines: 400,
  mayBeLong: [/^src\/contract\//, /\.sql$/, /^web\/admin\/i18n\//, /^src\/messages\//],
  maxFiles: 15,
}
