/** One field that differs, its values as text; undefined where the value is not set. */
export interface Difference {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

type Thing = Readonly<Record<string, unknown>>

/**
 * Returns the fields that differ, in the order of the first record, then of the second. Objects are compared field by
 * field.
 */
export function differences(before: Thing, after: Thing): Difference[] {
  const old = flat(before, '')
  const young = flat(after, '')
  return [...new Set([...old.keys(), ...young.keys()])]
    .map((field) => ({ field, before: old.get(field), after: young.get(field) }))
    .filter((line) => line.before !== line.after)
}

function flat(thing: Thing, prefix: string): Map<string, string> {
  const entries = Object.entries(thing).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    if (isThing(value)) return [...flat(value, `${prefix}${name}.`)]
    return [[prefix + name, Array.isArray(value) ? listText(value) : String(value)]]
  })
  return new Map(entries)
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listText(items: readonly unknown[]): string {
  return items.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')
}
