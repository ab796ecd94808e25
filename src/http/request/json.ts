import { type Message, message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'

const deepest = 32
// A BOM stays in the text, where the parser rejects it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a JSON object. Throws a refusal for malformed JSON and for input that other parsers interpret differently:
 * invalid UTF-8, a BOM, duplicate keys, more than 32 levels, numbers outside the range of a double, and strings with
 * NUL or lone surrogates.
 */
export function parseObject(bytes: Uint8Array, what = message('noun_body')): Readonly<Record<string, unknown>> {
  if (bytes.length === 0) throw invalid(message('json_empty', { what }))
  const { text, value } = parse(bytes, what)
  const malformation = findMalformation(text, value)
  if (malformation !== undefined) throw invalid(message('json_ambiguous', { what, oddity: malformation }))
  if (!isObject(value)) throw invalid(message('json_no_object', { what }))
  return value
}

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(bytes: Uint8Array, what: Message): { text: string; value: unknown } {
  try {
    const text = utf8.decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    throw invalid(message('json_malformed', { what }))
  }
}

function invalid(message: Message): Refusal {
  return new Refusal({ code: 'invalid_json', message })
}

const quote = 0x22
const backslash = 0x5c

/**
 * Returns the defect of a text that is valid JSON, phrased as the end of a sentence whose subject is the text;
 * undefined when there is none. `value` is the parsed text.
 */
function findMalformation(text: string, value: unknown): Message | undefined {
  const found: Found = { escapes: text.includes('\\'), keys: 0 }
  const malformation = lookThrough(value, 1, found)
  if (malformation !== undefined) return malformation
  // `JSON.parse` retains only the last of two equal keys in an object, so a duplicate key makes the parsed keys fewer
  // than those in the text.
  return found.keys === countKeys(text, found.escapes) ? undefined : message('json_duplicate_key')
}

interface Found {
  /** Whether the text contains an escape sequence. */
  readonly escapes: boolean
  /** The number of keys of all objects that have been visited in the parsed value. */
  keys: number
}

function lookThrough(value: unknown, level: number, found: Found): Message | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : message('json_number_too_large')
  if (typeof value === 'string') return found.escapes ? malformedText(value) : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (level > deepest) return message('json_too_deep', { count: deepest })
  if (isObject(value)) {
    const keys = Object.keys(value)
    found.keys += keys.length
    const malformation = found.escapes ? keys.map(malformedText).find((one) => one !== undefined) : undefined
    if (malformation !== undefined) return malformation
  }
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    const malformation = lookThrough(item, level + 1, found)
    if (malformation !== undefined) return malformation
  }
  return undefined
}

// Unescaped text contains neither NUL, which JSON requires to be escaped, nor lone surrogates, which UTF-8 cannot
// encode.
function malformedText(text: string): Message | undefined {
  return text.includes('\0') || !text.isWellFormed() ? message('json_bad_string') : undefined
}

/** Counts the keys in valid JSON. */
function countKeys(text: string, escapes: boolean): number {
  let keys = 0
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = escapes ? endOfString(text, start) : text.indexOf('"', start + 1)
    if (isKey(text, end)) keys += 1
    start = text.indexOf('"', end + 1)
  }
  return keys
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++
  return at
}

/** Whether the string that ends at `end` is a key. In valid JSON, exactly the strings followed by a colon are keys. */
function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (text.charCodeAt(at) <= 0x20) at++
  return text[at] === ':'
}

/** Serialises a value with the keys sorted at every level, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).toSorted()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`
}
