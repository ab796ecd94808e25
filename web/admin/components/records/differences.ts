/**
 * A field that differs between two records. The values are formatted as text; a value is undefined when its record does
 * not have the field, or has null in it.
 */
export interface FieldDifference {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

type PlainObject = Readonly<Record<string, unknown>>

/**
 * Returns the fields in which two records differ, in the order of the first record, then of the second. Fields of
 * nested objects are compared one by one and named by path, such as `limits.perDay`.
 */
export function differences(before: PlainObject, after: PlainObject): FieldDifference[] {
  const oldValues = flatten(before, '')
  const newValues = flatten(after, '')
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .map((field) => ({ field, before: oldValues.get(field), after: newValues.get(field) }))
    .filter((line) => line.before !== line.after)
}

function flatten(thing: PlainObject, prefix: string): Map<string, string> {
  const entries = Object.entries(thing).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    if (isPlainObject(value)) return [...flatten(value, `${prefix}${name}.`)]
    return [[prefix + name, Array.isArray(value) ? listText(value) : String(value)]]
  })
  return new Map(entries)
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listText(items: readonly unknown[]): string {
  return items.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')
}
