import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { breaches, type Rules, type Sources } from './support/architecture.ts'

const rules: Rules = {
  layers: {
    domain: { imports: [], modules: ['libphonenumber-js/min'] },
    contract: { imports: [], types: ['domain'], modules: ['typebox'] },
    storage: {
      imports: ['domain'],
      modules: [
        'node:events',
        'node:worker_threads',
        'kysely',
        'pg',
        'pg-cursor',
        'node:crypto',
        'node:fs',
        'node:fs/promises',
        'node:sqlite',
        'node:timers/promises',
        'node:url',
      ],
    },
    app: { imports: [], types: ['domain', 'storage'], modules: [] },
    operations: {
      imports: ['domain', 'storage', 'app'],
      modules: ['@simplewebauthn/server', '@zxcvbn-ts/*', 'node:crypto', 'node:util', 'node:worker_threads', 'otpauth'],
    },
    integrations: { imports: ['domain', 'app'], modules: [] },
    pages: { imports: ['domain', 'contract'], modules: [] },
    http: {
      imports: ['app', 'contract', 'domain', 'pages', 'operations'],
      modules: [
        '@fastify/proxy-addr',
        'fastify',
        'typebox',
        'typebox/*',
        'node:crypto',
        'node:events',
        'node:fs/promises',
        'node:http',
        'node:net',
        'node:stream',
        'node:timers/promises',
        'node:zlib',
      ],
    },
    metrics: { imports: ['storage'], modules: ['node:fs/promises', 'node:path', 'node:perf_hooks'] },
    workers: { imports: ['app', 'domain', 'operations'], modules: [] },
    web: { imports: ['domain'], types: ['contract'], modules: [] },
    panel: {
      imports: ['web', 'domain'],
      types: ['contract'],
      modules: [
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
    },
  },
  places: {
    'src/domain/': 'domain',
    'src/contract/': 'contract',
    'src/storage/': 'storage',
    'src/db/perform/app.ts': 'app',
    'src/operations/': 'operations',
    'src/integrations/': 'integrations',
    'src/metrics/': 'metrics',
    'src/api-docs/': 'pages',
    'src/http/': 'http',
    'src/workers/': 'workers',
    'web/': 'web',
    'web/admin/': 'panel',
    'src/cli/': 'wiring',
    'src/clock.ts': 'wiring',
    'src/config.ts': 'wiring',
    'src/db/data-dir.ts': 'wiring',
    'src/ids.ts': 'wiring',
    'src/log.ts': 'wiring',
    'src/main.ts': 'wiring',
    'src/server/memory.ts': 'wiring',
    'src/server/open.ts': 'wiring',
    'src/db/perform/perform.ts': 'wiring',
    'src/server/secret-key.ts': 'wiring',
    'src/db/postgres/postgres-writes.ts': 'wiring',
    'src/db/sqlite/sqlite-writes.ts': 'wiring',
    'src/db/sqlite/start-writer.ts': 'wiring',
    'src/reservations/booking/taken-slots.ts': 'wiring',
    'src/db/sqlite/writer-thread.ts': 'wiring',
    'src/db/sqlite/writer.ts': 'wiring',
  },
  top: ['wiring'],
  forbidden: [
    {
      layer: 'domain',
      words: /\b(?:Date\.now|new Date\b|Math\.random|process\.|performance\.|crypto\.|node:|setTimeout|fetch\()/,
      except: [],
    },
    { layer: 'domain', words: /\bTemporal\b/, except: ['src/scheduling/time/zone.ts'] },
    { layer: 'domain', words: /\bTemporal\.Now\b/, except: [] },
    // Its values come from src/http/node-http.ts, which says why.
    { layer: 'http', words: /^import (?!type )[^'\n]*'node:http'/m, except: [] },
  ],
  mayCatch: {
    'src/db/perform/perform.ts': 'the write seam: a refusal becomes plain data, all else a fault',
    'src/db/sqlite/sqlite-writes.ts': 'the write seam: a batch that was not committed is answered as such',
    'src/db/postgres/postgres-writes.ts': 'the write seam: a deadlock is tried again, a fault is answered',
    'src/http/bind.ts': 'the door of requests: one place answers refusals and faults',
    'src/cli/framework/failure.ts': 'the door of commands: one place says what stopped one',
    'src/jobs/loop.ts': 'a job that failed is logged and comes again',
    'src/cli/serve/lock.ts': 'SQLite says "busy" by throwing',
    'src/db/sqlite/sqlite-file.ts': 'SQLite says "damaged" by throwing',
    'src/db/sqlite/list-thread.ts': 'the door of the thread: what stopped a list is told to whoever reads it',
    'src/site-file/read-site-file.routes.ts': 'JSON.parse says "not JSON" by throwing',
    'src/scheduling/time/zone.ts': 'Temporal says "no such zone" by throwing',
    'src/encryption.ts': 'Node says "another key" by throwing',
    'src/http/request/json.ts': 'JSON.parse says "not JSON" by throwing',
  },
  longest: 400,
  mayBeLong: [/^src\/contract\//, /\.sql$/, /^web\/admin\/words\//],
}

/** Every file that people write by hand. */
function tree(): Sources {
  const paths = globSync('{src,web,test,bench,bin}/**/*.{ts,tsx,js,sql}')
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]))
}

test('every layer imports only what it may, nothing goes in circles, and no file is too long', () => {
  assert.deepEqual(breaches(tree(), rules), [])
})

describe('a breach is found', () => {
  const manyLines = 'export {}\n'.repeat(401)
  const planted: readonly (readonly [what: string, files: Readonly<Record<string, string>>, sentence: RegExp])[] = [
    [
      'a layer below importing one above',
      { 'src/domain/a.ts': "import { b } from '../storage/b.ts'\n", 'src/storage/b.ts': '' },
      /a\.ts \(domain\) imports \.\.\/storage\/b\.ts \(storage\)/,
    ],
    [
      'a value where only a type is allowed',
      { 'src/db/perform/app.ts': "import { type A, b } from './domain/a.ts'\n", 'src/domain/a.ts': '' },
      /app\.ts \(app\) imports/,
    ],
    [
      'an import over several lines',
      { 'src/domain/a.ts': "import {\n  b,\n  c,\n} from '../http/b.ts'\n", 'src/http/b.ts': '' },
      /imports \.\.\/http\/b\.ts/,
    ],
    [
      'a re-export',
      { 'src/storage/a.ts': "export * from '../http/b.ts'\n", 'src/http/b.ts': '' },
      /imports \.\.\/http\/b\.ts/,
    ],
    [
      'a package the layer may not use',
      { 'src/operations/a.ts': "import fastify from 'fastify'\n" },
      /imports fastify/,
    ],
    ['a module of Node in the domain', { 'src/domain/a.ts': "import 'node:fs'\n" }, /imports node:fs/],
    ['a computed import', { 'src/http/a.ts': 'export const a = await import(process.argv[2])\n' }, /computed path/],
    [
      'an import of wiring',
      { 'src/http/a.ts': "import { main } from '../main.ts'\n", 'src/main.ts': '' },
      /\(wiring\)/,
    ],
    ['a clock in the domain', { 'src/domain/a.ts': 'export const now = Date.now()\n' }, /mentions Date\.now/],
    ['chance in the domain', { 'src/domain/a.ts': 'export const a = Math.random()\n' }, /mentions Math\.random/],
    [
      "Node's HTTP by value",
      { 'src/http/a.ts': "import { type Server, createServer } from 'node:http'\n" },
      /mentions import \{ type Server, createServer \} from 'node:http'/,
    ],
    ['Temporal in a second file', { 'src/domain/a.ts': 'export const a = Temporal\n' }, /mentions Temporal/],
    [
      'a circle of three files, types included',
      {
        'src/domain/a.ts': "import type { B } from './b.ts'\n",
        'src/domain/b.ts': "import { c } from './c.ts'\n",
        'src/domain/c.ts': "export { a } from './a.ts'\n",
      },
      /circle: src\/domain\/a\.ts → src\/domain\/b\.ts → src\/domain\/c\.ts → src\/domain\/a\.ts/,
    ],
    ['a file over 400 lines', { 'test/a.test.ts': manyLines }, /a\.test\.ts has 401 lines/],
    ['a catch that nobody listed', { 'src/http/a.ts': 'void go().catch(() => {})\n' }, /catches, and is not listed/],
    ['a file outside every layer', { 'src/other/a.ts': '' }, /src\/other\/a\.ts lies in no layer/],
  ]
  for (const [what, files, sentence] of planted) {
    test(what, () =>
      assert.match(breaches(new Map(Object.entries(files)), { ...rules, mayCatch: {} }).join('\n'), sentence),
    )
  }

  test('and what only looks like one is not', () => {
    const text = "// import { a } from '../http/a.ts', Date.now() or catch\nexport const a = 'http://example.com'\n"
    assert.deepEqual(breaches(new Map([['src/domain/a.ts', text]]), { ...rules, mayCatch: {} }), [])
  })
})
