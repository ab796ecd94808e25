import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { breaches, type SourceFiles } from './support/architecture.ts'
import { rules } from './support/import-rules.ts'

/** Returns the content of every hand-written source file by path. */
function tree(): SourceFiles {
  const paths = globSync('{src,web,test,bench,bin}/**/*.{ts,tsx,js,sql}')
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]))
}

test('imports point one way and have no cycles, and neither files nor folders are too long', () => {
  assert.deepEqual(breaches(tree(), rules), [])
})

describe('a violation is found', () => {
  const b = { 'src/db/b.ts': '', 'src/customers/b.operations.ts': '', 'src/history/b.operations.ts': '' }
  const planted: readonly (readonly [what: string, files: Readonly<Record<string, string>>, sentence: RegExp])[] = [
    [
      'a pure file importing platform code',
      { ...b, 'src/scheduling/a.ts': "import { b } from '../db/b.ts'\n" },
      /a\.ts \(pure\) imports \.\.\/db\/b\.ts \(platform\)/,
    ],
    [
      'platform code importing a capability',
      { ...b, 'src/db/a.ts': "import { b } from '../customers/b.operations.ts'\n" },
      /imports .* \(operations\)/,
    ],
    [
      'SQL importing operations',
      { ...b, 'src/history/a.sql.ts': "import { b } from './b.operations.ts'\n" },
      /\(sql\) imports/,
    ],
    [
      'a capability not on the list',
      { ...b, 'src/history/a.operations.ts': "import { b } from '../customers/b.operations.ts'\n" },
      /operations of history may not use customers/,
    ],
    [
      'an import over several lines',
      { ...b, 'src/scheduling/a.ts': "import {\n  b,\n  c,\n} from '../db/b.ts'\n" },
      /imports \.\.\/db\/b\.ts/,
    ],
    ['a re-export', { ...b, 'src/scheduling/a.ts': "export * from '../db/b.ts'\n" }, /imports \.\.\/db\/b\.ts/],
    [
      'the table of operations by value',
      { 'src/history/a.routes.ts': "import { operations } from '../operations.ts'\n", 'src/operations.ts': '' },
      /\(wiring\)/,
    ],
    [
      'a package that the part may not use',
      { 'src/history/a.operations.ts': "import fastify from 'fastify'\n" },
      /imports fastify/,
    ],
    ['a computed import', { 'src/history/a.ts': 'export const a = await import(process.argv[2])\n' }, /computed path/],
    ['a clock in a pure file', { 'src/scheduling/a.ts': 'export const now = Date.now()\n' }, /mentions Date\.now/],
    ['Temporal in a second file', { 'src/scheduling/a.ts': 'export const a = Temporal\n' }, /mentions Temporal/],
    [
      'a circle of files, types included',
      {
        'src/scheduling/a.ts': "import type { B } from './b.ts'\n",
        'src/scheduling/b.ts': "export { a } from './a.ts'\n",
      },
      /circle: src\/scheduling\/a\.ts → src\/scheduling\/b\.ts → src\/scheduling\/a\.ts/,
    ],
    ['a file over 400 lines', { 'test/a.test.ts': 'export {}\n'.repeat(401) }, /a\.test\.ts has 401 lines/],
    [
      'a folder of more than 15 files',
      Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`src/history/f${at}.ts`, ''])),
      /src\/history has 16 files/,
    ],
    [
      'two exported types of one name',
      { 'src/history/a.ts': 'export type Page = 1\n', 'src/messages/a.ts': 'export interface Page {}\n' },
      /history\/a\.ts and src\/messages\/a\.ts export a type Page each/,
    ],
    ['a catch that is not listed', { 'src/http/a.ts': 'void go().catch(() => {})\n' }, /catches, and is not listed/],
  ]
  for (const [what, files, sentence] of planted) {
    test(what, () =>
      assert.match(breaches(new Map(Object.entries(files)), { ...rules, mayCatch: {} }).join('\n'), sentence),
    )
  }

  test('but not in comments and strings', () => {
    const text = "// import { a } from '../http/a.ts', Date.now() or catch\nexport const a = 'http://example.com'\n"
    assert.deepEqual(breaches(new Map([['src/scheduling/a.ts', text]]), { ...rules, mayCatch: {} }), [])
  })
})
