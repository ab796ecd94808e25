import type { Rules } from './architecture.ts'
import { mayCatch } from './catch-rules.ts'

const platform =
  /^src\/(?:(?:db|http|jobs|mail|metrics)\/|(?:clock|compiled-code|config|encryption|ids|liquid|log|semaphore|work-queue)\.ts$)/

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
    // These files use state, cryptography or threads, so their role is not `pure` but `operations`, which may import
    // the same files as operations.
    [
      /^src\/(?:availability\/(?:cache\/|slot-id|slot-json)|notifications\/mail\/|catalogue\/holidays\/|access\/(?:passwords\/password-|second-factors\/totp)|webhooks\/(?:signature|template)\.)/,
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
  // Files with the role `routes` may import the type of all operations, because they name the operations that they
  // perform.
  types: { routes: ['src/operations.ts'] },
  // Operations of a capability (a directory of `src/`) may call those of the same capability and of the listed ones;
  // the lists form no cycle.
  capabilities: {
    access: [],
    history: [],
    maintenance: [],
    catalogue: ['access'],
    customers: ['history'],
    availability: ['catalogue'],
    calendars: ['catalogue'],
    reservations: ['availability', 'catalogue', 'customers', 'history'],
    reports: ['catalogue', 'reservations'],
    'site-file': ['reservations'],
    notifications: ['access', 'catalogue', 'customers', 'history', 'reservations'],
    webhooks: ['history'],
    payments: ['catalogue', 'customers', 'history', 'reservations'],
    'booking-page': ['availability', 'catalogue', 'customers', 'payments', 'reservations'],
    undo: ['catalogue', 'customers', 'reservations'],
  },
  modules: [
    [/^src\/scheduling\/|^src\/messages\//, []],
    [/^src\/contract\//, ['typebox']],
    [/^src\/catalogue\/holidays\//, ['date-holidays', 'node:worker_threads']],
    [/^src\/booking-page\/proof\//, ['altcha-lib', 'altcha-lib/*', 'node:crypto']],
    [/^src\/customers\/(?:search|sms-consent)\/|^src\/booking-page\/phone/, ['libphonenumber-js/min']],
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
    [/^src\/calendars\/recurrence\//, ['ical.js']],
    [/^src\/calendars\/caldav\//, ['sax']],
    [/^src\/calendars\/(?:google|microsoft|oauth|push)\/.*\.(?:job|routes)\.ts$/, ['node:crypto']],
    [/^src\/calendars\/oauth\/access-token\.job\.ts$/, ['node:timers/promises']],
    [/^src\/calendars\/destinations\/write-event\.job\.ts$/, ['node:crypto']],
    [/^src\/calendars\/ics\/calendar-content\.job\.ts$/, ['node:crypto', 'node:vm']],
    [/^src\/mail\//, ['ical-generator', 'nodemailer']],
    [/^src\/liquid\.ts$/, ['liquidjs']],
    [/^src\/http\//, ['@fastify/proxy-addr', 'fastify', 'ipaddr.js', 'typebox', 'typebox/*', 'undici', 'node:*']],
    [/^src\/[^/]+\.ts$|^src\/metrics\//, ['pino', 'node:*']],
    [/^src\/payments\/stripe\//, ['stripe', 'node:crypto']],
    [/\.sql\.ts$/, ['kysely']],
    [/^src\/webhooks\/signature\.ts$/, ['node:crypto']],
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
  // Each of these modules runs in a worker thread and imports a module whose URL another thread passes to it.
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
  mayCatch,
  maxLines: 400,
  mayBeLong: [/^src\/contract\//, /\.sql$/, /^web\/admin\/i18n\//, /^src\/messages\//],
  maxFiles: 15,
}
