import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const comment = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/ .*/g
const code = globSync(['{src,web,test,bench}/**/*.{ts,tsx}', 'bin/*.js'])
const guides = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
const decisions = new Set(globSync('docs/decisions/*.md').map((path) => /(\d{4})-[^/\\]*$/.exec(path)?.[1] ?? ''))
const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'))
const identifiers = new Set(sources.flatMap((text) => withoutComments(text).match(/[\w$]+/g) ?? []))

/** A page, file or function that a comment refers to, with the file that contains the comment. */
interface Citation {
  readonly path: string
  readonly cited: string
}

test('comments and guides cite decision pages that exist', () => {
  const cited = [...code, ...guides].flatMap((path) => citations(path, /decisions\/(\d{4})\b/g))
  assert.ok(cited.length > 0)
  assert.deepEqual(
    cited.filter((citation) => !decisions.has(citation.cited)),
    [],
  )
})

test('comments and guides cite files that exist', () => {
  const files = /(?<![\w/.-])((?:docs|src|web|test|bench)\/[\w./-]+\.(?:md|tsx?|sql))(?![\w*])/g
  // The report of a past proof names the files that were tested, which may have been renamed since.
  const current = guides.filter((path) => !/proof[/\\]\d{4}-/.test(path))
  const cited = [...code, ...current].flatMap((path) => citations(path, files))
  assert.deepEqual(
    cited.filter((citation) => !existsSync(citation.cited) && !example.test(citation.cited)),
    [],
  )
})

test('docstrings name functions and members that exist', () => {
  const names = /`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(?:\(\)`|(?<=\.[\w$]+)`)/g
  const cited = globSync('src/**/*.ts').flatMap((path) => citations(path, names))
  const unknown = cited.filter(({ cited: name }) => !foreign.test(name) && !name.split('.').every(isIdentifier))
  assert.deepEqual(unknown, [])
})

/**
 * Matches the paths of the files `rooms`, which do not exist: CONTRIBUTING.md describes them as an example of a new
 * folder.
 */
const example = /rooms\.(?:test\.)?ts$/
/** Matches names of the platform, of files and of data, which are no identifiers of the product. */
const foreign =
  /^(?:Intl|http|navigator|socket|request|process|json|provider|service|site|sessions|users|tokens)\.|\.(?:ts|md|db|json|js|sql)$/

function isIdentifier(name: string): boolean {
  return identifiers.has(name)
}

function citations(path: string, pattern: RegExp): Citation[] {
  const text = readFileSync(path, 'utf8')
  const read = path.endsWith('.md') ? text : commentsOf(text)
  return [...read.matchAll(pattern)].map(([, cited = '']) => ({ path, cited }))
}

function commentsOf(text: string): string {
  return (text.match(comment) ?? []).join('\n')
}

function withoutComments(text: string): string {
  return text.replace(comment, '')
}
