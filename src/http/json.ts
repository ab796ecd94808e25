import { Refusal } from '../domain/refusal.ts'

const deepest = 32
// A BOM stays in the text, where the parser refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The JSON object in these bytes. Refuses what parsers elsewhere read differently or drop in silence: bad UTF-8, a BOM,
 * duplicate keys, more than 32 levels, numbers beyond a double, NUL and lone surrogates in texts.
 */
export function parseObject(bytes: Uint8Array, what = 'body'): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) throw invalid(`The ${what} is empty; send a JSON object.`)
  const { text, value } = parse(bytes, what)
  const oddity = findOddity(text)
  if (oddity !== undefined) throw invalid(`The ${what} ${oddity}.`)
  if (!isObject(value)) throw invalid(`The ${what} must be a JSON object.`)
  return value
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(bytes: Uint8Array, what: string): { text: string; value: unknown } {
  try {
    const text = utf8.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw invalid(`The ${what} is not valid JSON in UTF-8; check quotes, commas and brackets.`)
  }
}

function invalid(sentence: string): Refusal {
  return new Refusal('invalid_json', sentence)
}

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// With fewer digits than this and no exponent a number cannot leave the range of a double.
const safeDigits = 300

/** What is wrong with valid JSON text all the same, to follow its name; walks it once, without recursion. */
function findOddity(text: string): string | undefined {
  // One entry a level: the keys seen in an object, null in a list.
  const levels: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === quote) {
      const end = endOfString(text, at)
      const content = text.slice(at + 1, end)
      const value = content.includes('\\') ? String(JSON.parse(text.slice(at, end + 1))) : content
      const oddity = oddText(value, levels.at(-1), isKey(text, end))
      if (oddity !== undefined) return oddity
      at = end
    } else if (mark === openBrace || mark === openBracket) {
      levels.push(mark === openBrace ? new Set() : null)
      if (levels.length > deepest) return `nests deeper than ${deepest} levels`
    } else if (mark === closeBrace || mark === closeBracket) {
      levels.pop()
    } else if (mark === minus || (mark >= zero && mark <= nine)) {
      const length = lengthOfNumber(text, at)
      if (!isFiniteNumber(text.slice(at, at + length))) return 'holds a number that is too large'
      at += length - 1
    }
  }
  return undefined
}

function oddText(value: string, keys: Set<string> | null | undefined, key: boolean): string | undefined {
  if (value.includes('\0') || !value.isWellFormed()) return 'holds a text with NUL or half a character'
  if (!key || !keys) return undefined
  if (keys.has(value)) return 'names a key twice in one object'
  keys.add(value)
  return undefined
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
  return at
}

/** In valid JSON a text is a key exactly when a colon follows it. */
function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (text.charCodeAt(at) <= 0x20) at++
  return text[at] === ':'
}

function lengthOfNumber(text: string, at: number): number {
  number.lastIndex = at
  return number.exec(text)?.[0].length ?? 1
}

function isFiniteNumber(text: string): boolean {
  return (text.length < safeDigits && !/[eE]/.test(text)) || Number.isFinite(Number(text))
}

/** The value as JSON whose keys are sorted at every level: equal for equal values, however they were typed. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}
