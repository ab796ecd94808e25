import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { de } from '../../web/admin/i18n/de.ts'
import { deferred as deDeferred } from '../../web/admin/i18n/deferred/deferred-de.ts'
import { deferred as enDeferred } from '../../web/admin/i18n/deferred/deferred-en.ts'
import { deferred as esDeferred } from '../../web/admin/i18n/deferred/deferred-es.ts'
import { deferred as frDeferred } from '../../web/admin/i18n/deferred/deferred-fr.ts'
import { en } from '../../web/admin/i18n/en.ts'
import { es } from '../../web/admin/i18n/es.ts'
import { fr } from '../../web/admin/i18n/fr.ts'

const place = 'dist/admin'
const most = 330_000

test('the panel loads less than 330 kB initially, and a screen loads few files', (context) => {
  const page = readFileSync(`${place}/index.html`, 'utf8')
  const first = [...page.matchAll(/(?:src|href)="\/admin\/([^"]+\.(?:js|css))"/g)].map(([, path]) => `${place}/${path}`)
  // The panel always loads the texts of one language next; who is not signed in, the sign-in page.
  const next = ['sign-in', 'en'].flatMap((name) => globSync(`${place}/assets/${name}-*.js`))
  const files = new Set([...first, ...next, ...reachedFrom(first)])
  const bytes = [...files].reduce((sum, path) => sum + sizeSent(path), 0)
  context.diagnostic(`${files.size} files, ${bytes} bytes`)
  assert.ok(next.length > 1 && files.size < 10 && bytes < most, `${files.size} files, ${bytes} bytes`)
  const screens = globSync(`${place}/assets/*.js`).map((path) => reachedFrom([path]).filter((one) => !files.has(one)))
  const longest = Math.max(...screens.map(({ length }) => length))
  context.diagnostic(`at most ${longest} files for a screen`)
  assert.ok(screens.length > 50 && longest < 30, `${longest} files`)
})

test('the panel has the styles of every component that it uses', () => {
  const classes = (text: string) => new Set([...text.matchAll(/\bm_[0-9a-f]{5,8}\b/g)].map(([name]) => name))
  const built = (kind: string) => globSync(`${place}/assets/*.${kind}`).map((path) => readFileSync(path, 'utf8'))
  const [used, styled] = [classes(built('js').join('')), classes(built('css').join(''))]
  const stylesheets = ['core', 'dates', 'notifications', 'spotlight'].map((name) => `@mantine/${name}/styles.css`)
  const known = classes(stylesheets.map((path) => readFileSync(`node_modules/${path}`, 'utf8')).join(''))
  assert.ok(used.size > 100, `${used.size} classes`)
  assert.deepEqual(
    [...known].filter((name) => used.has(name) && !styled.has(name)),
    [],
  )
})

test('the page contains nothing inline', () => {
  const page = readFileSync(`${place}/index.html`, 'utf8')
  assert.doesNotMatch(page, /<style| style=|<script(?![^>]* src=)| on[a-z]+=/)
  assert.match(page, /<meta name="csp-nonce" content="__NONCE__">/)
})

for (const [name, words] of Object.entries({
  de: { first: de, later: deDeferred },
  es: { first: es, later: esDeferred },
  fr: { first: fr, later: frDeferred },
})) {
  test(`the words in ${name} have the same placeholders as in English, and none is empty`, () => {
    const [ours, english] = [sentences(words), sentences({ first: en, later: enDeferred })]
    for (const [key, text] of english) {
      const other = ours.get(key) ?? ''
      assert.notEqual(other.trim(), '', key)
      // Each placeholder must occur, but how often is up to the language.
      assert.deepEqual(new Set(holes(other)), new Set(holes(text)), key)
    }
  })
}

// Returns the JavaScript files among `first`, and all files that they import statically, directly or indirectly.
// Dynamic imports, written `import(`, are not followed.
function reachedFrom(first: readonly string[]): string[] {
  const seen = new Set<string>()
  const visit = (path: string): void => {
    if (seen.has(path) || !path.endsWith('.js')) return
    seen.add(path)
    const text = readFileSync(path, 'utf8')
    for (const [, name] of text.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) visit(`${place}/assets/${name}`)
  }
  for (const path of first) visit(path)
  return [...seen]
}

function sizeSent(path: string): number {
  return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
}

function sentences(part: object, prefix = ''): Map<string, string> {
  const entries = Object.entries(part).flatMap(([name, value]): (readonly [string, string])[] =>
    typeof value === 'string' ? [[prefix + name, value]] : [...sentences(value, `${prefix}${name}.`)],
  )
  return new Map(entries)
}

function holes(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()
}
