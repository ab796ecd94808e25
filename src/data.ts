import { type Message, message } from './messages/message.ts'
/**
 * The keys and values that an integration stores with a record, exactly as sent. Names such as `__proto__` are ordinary
 * keys.
 */
export type Data = Readonly<Record<string, unknown>>

const maxBytes = 16 * 1024
const maxKeys = 64

/**
 * Returns the stored data with changes applied key by key, one level deep; null deletes a key. Changes that equal the
 * stored data change nothing, so a listed record with a stored null can be sent back unchanged.
 */
export function mergeData(stored: Data, changes: Data): Data {
  if (sameJson(stored, changes)) return stored
  const merged = new Map(Object.entries(stored))
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

/** Returns why data exceeds the limit of one record (64 keys, 16 KiB as JSON); undefined when it fits. */
export function tooMuchData(data: Data): Message | undefined {
  if (Object.keys(data).length > maxKeys) return message('data_keys_exceeded', { count: maxKeys })
  const bytes = new TextEncoder().encode(JSON.stringify(data)).length
  return bytes > maxBytes ? message('data_bytes_exceeded', { count: maxBytes }) : undefined
}

/** Returns why merged data exceeds the limit of one record; undefined when it fits or equals the stored data. */
export function tooMuchMerged(stored: Data, merged: Data): Message | undefined {
  return sameJson(stored, merged) ? undefined : tooMuchData(merged)
}

/** Whether two JSON values are equal, regardless of the order of keys. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => sameJson(item, other[index]))
  }
  if (!isObject(one) || !isObject(other)) return false
  const entries = Object.entries(one)
  if (entries.length !== Object.keys(other).length) return false
  const others = new Map(Object.entries(other))
  return entries.every(([key, value]) => others.has(key) && sameJson(value, others.get(key)))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
