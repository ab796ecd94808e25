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
 * nested objects are compared one by one and named by path, such as `limits.perDay`. Instants are formatted by
 * `dateTime`. The time of the last change, which differs after every change, is left out.
 */
export function differences(
  before: PlainObject,
  after: PlainObject,
  dateTime: (at: number) => string,
): FieldDifference[] {
  const oldValues = flatten(before, '', dateTime)
  const newValues = flatten(after, '', dateTime)
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .map((field) => ({ field, before: oldValues.get(field), after: newValues.get(field) }))
    .filter((line) => line.before !== line.after && line.field !== 'updated')
}

function flatten(thing: PlainObject, prefix: string, dateTime: (at: number) => string): Map<string, string> {
  const entries = Object.entries(thing).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return []
    if (isPlainObject(value)) return [...flatten(value, `${prefix}${name}.`, dateTime)]
    if (isInstant(name, value)) return [[prefix + name, dateTime(value)]]
    return [[prefix + name, Array.isArray(value) ? listText(value) : String(value)]]
  })
  return new Map(entries)
}

// Fields with one of these names contain Unix seconds. Smaller numbers are something else, such as minutes of a day.
const instantNames = /^(?:start|end|created|expires|[a-z]+At)$/
const leastInstant = 100_000_000

function isInstant(name: string, value: unknown): value is number {
  return typeof value === 'number' && value >= leastInstant && instantNames.test(name)
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listText(items: readonly unknown[]): string {
  return items.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')
}
