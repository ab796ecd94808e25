/** An integration's own keys, kept exactly as sent; `__proto__` and the like are plain keys. */
export type Data = Readonly<Record<string, unknown>>

const maxBytes = 16 * 1024
const mostKeys = 64

/** The stored data with the changes applied key by key, one level deep; null deletes a key. */
export function mergeData(stored: Data, changes: Data): Data {
  const merged = new Map(Object.entries(stored))
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

/** Why the data is more than is kept of one record (64 keys, 16 KB as JSON), as a sentence; undefined when it fits. */
export function tooMuchData(data: Data): string | undefined {
  if (Object.keys(data).length > mostKeys) return `Keeps at most ${mostKeys} keys; remove some first.`
  const bytes = new TextEncoder().encode(JSON.stringify(data)).length
  return bytes > maxBytes ? `Keeps at most ${maxBytes} bytes of JSON; send less.` : undefined
}

/** Whether two JSON values mean the same; the order of keys does not count. */
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
