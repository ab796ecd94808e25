import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { quickExaminations } from '../../src/cli/doctor/doctor.ts'

/** A text of the source as templates are compared: `{{}}` where a value stands. */
export interface Text {
  readonly shape: string
  /** File and line. */
  readonly at: string
}

/** What speaks to people of the panel; and whatever else refuses does too. */
const speaking =
  /^src\/(?!api-docs|cli|contract|db|jobs|metrics|server)[a-z-]+\/|^src\/(?:data|operations)\.ts$|^src\/db\/perform\/|^src\/cli\/doctor\/.*-checks\.ts$/
const refuses = /\bnew \w*Refusal\(/
/** Tests, a command; and what answers API tokens alone, or headers that the panel never sends. */
const elsewhere =
  /\.test\.ts$|src\/cli\/explain\.ts$|authenticate-token\.routes\.ts$|src\/http\/request\/(?:headers|parse-request)\.ts$/
/** Files whose texts are put into sentences, and therefore are none themselves. */
const wordy = /src\/http\/request\/(?:formats|json|conversions|schema)\.ts$|src\/cli\/doctor\/[a-z-]+\.ts$/
/** A checked thing's name stands before its sentence. */
const checks = new Set(['ok', 'warn', 'fail'])
const examinations = new Set(quickExaminations.map(({ name }) => name))

/** A template as it is compared. */
export function shapeOf(template: string): string {
  return template.replace(/\{\{[#=]?\w+\}\}/g, '{{}}')
}

/** Every text in the source of what speaks: `said` are those that reach people of the panel, `all` also any other. */
export function textsOfSource(): { readonly said: readonly Text[]; readonly all: ReadonlySet<string> } {
  const said: Text[] = []
  const all = new Set<string>()
  for (const file of globSync('src/**/*.ts').sort()) {
    const source = readFileSync(file, 'utf8')
    if (elsewhere.test(file) || !(speaking.test(file) || refuses.test(source))) continue
    for (const found of textsIn(source)) {
      all.add(found.text)
      if (isSaid(found) || (wordy.test(file) && hasWords(found.text)))
        said.push({ shape: found.text, at: `${file}:${source.slice(0, found.start).split('\n').length}` })
    }
  }
  return { said, all }
}

/** The sentences in a piece of source. */
export function saidIn(source: string): string[] {
  return textsIn(source)
    .filter(isSaid)
    .map(({ text }) => text)
}

function textsIn(source: string): Found[] {
  return [...textsOf(parseAst(source, { lang: 'ts' }))]
}

function isSaid({ text, named }: Found): boolean {
  return named || isSentence(text)
}

/** Begins with a capital or a value, has words, and ends as a sentence does, or with a value behind words. */
function isSentence(text: string): boolean {
  return hasWords(text) && /^(?:[A-Z]\S*|\{\{\}\}\S*)\s.*(?:[.?]|[.;:] \{\{\}\})$/s.test(text)
}

function hasWords(text: string): boolean {
  return /[A-Za-z]/.test(text.replaceAll('{{}}', '')) && /\S\s+\S/.test(text)
}

interface Found {
  readonly text: string
  readonly start: number
  /** It names what is checked. */
  readonly named: boolean
}

type Node = Readonly<Record<string, unknown>>

function* textsOf(value: unknown, named = false): Generator<Found> {
  if (Array.isArray(value)) for (const one of value) yield* textsOf(one, named)
  if (!isNode(value) || isSilent(value)) return
  const text = textOf(value)
  if (text !== undefined) yield { text, start: Number(value.start), named }
  const naming = value.type === 'CallExpression' && checks.has(nameOf(value.callee))
  for (const [key, part] of Object.entries(value)) {
    if (naming && key === 'arguments' && Array.isArray(part)) {
      yield* textsOf(part.slice(0, 1), true)
      yield* textsOf(part.slice(1))
    } else yield* textsOf(part)
  }
}

/** Imports, SQL, faults that are logged and not shown, and checks that the panel does not ask for. */
function isSilent(node: Node): boolean {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'TaggedTemplateExpression':
      return true
    case 'NewExpression':
      return ['Error', 'RangeError', 'Unavailable'].includes(nameOf(node.callee))
    case 'ExportNamedDeclaration': {
      const name = isNode(node.declaration) ? nameOf(node.declaration.id) : ''
      return name.endsWith('Checks') && !examinations.has(name)
    }
    default:
      return false
  }
}

function textOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'Literal' && typeof value === 'string') return value
  if (type !== 'TemplateLiteral' || !Array.isArray(quasis)) return undefined
  return quasis.map((part: unknown) => cookedOf(part)).join('{{}}')
}

function cookedOf(part: unknown): string {
  const value = isNode(part) ? part.value : undefined
  return isNode(value) ? String(value.cooked) : ''
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
