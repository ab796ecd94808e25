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

/** What is wrong with valid JSON text all the same, to follow its name; walks it once, without recursion. */
function findOddity(text: string): string | undefined {
  // One entry a level: the keys seen in an object, null in a list.
  const levels: (Set<string> | null)[] = []
  const escapes = text.includes('\\')
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === quote) {
      const end = escapes ? endOfString(text, at) : text.indexOf('"', at + 1)
      const oddity = oddText(text, { start: at, end, escapes }, levels.at(-1))
      if (oddity !== undefined) return oddity
      at = end
    } else if (mark === openBrace || mark === openBracket) {
      levels.push(mark === openBrace ? new Set() : null)
      if (levels.length > deepest) return `nests deeper than ${deepest} levels`
    } else if (mark === closeBrace || mark === closeBracket) {
      levels.pop()
    } else if (mark === minus || isDigit(mark)) {
      const length = lengthOfNumber(text, at)
      if (!Number.isFinite(Number(text.slice(at, at + length)))) return 'holds a number that is too large'
      at += length - 1
    }
  }
  return undefined
}

// What is written as it is, is neither NUL, which JSON wants escaped, nor half a character, which UTF-8 cannot say.
function oddText(
  text: string,
  { start, end, escapes }: { readonly start: number; readonly end: number; readonly escapes: boolean },
  keys: Set<string> | null | undefined,
): string | undefined {
  const key = keys && isKey(text, end)
  if (!key && !escapes) return undefined
  const content = text.slice(start + 1, end)
  const value = escapes && content.includes('\\') ? String(JSON.parse(text.slice(start, end + 1))) : content
  if (value.includes('\0') || !value.isWellFormed()) return 'holds a text with NUL or half a character'
  if (!key) return undefined
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

function lengthOfNumber(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  // Most are digits and nothing else.
  if (!'-.eE'.includes(text.charAt(at))) return at - start
  number.lastIndex = start
  return number.exec(text)?.[0].length ?? 1
}

function isDigit(mark: number): boolean {
  return mark >= zero && mark <= nine
}

/** The value as JSON whose keys are sorted at every level: equal for equal values, however they were typed. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}
