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
  const [oldValues, newValues] = [flatten(before, ''), flatten(after, '')]
  const shown = (field: string, value: unknown): string | undefined =>
    value === undefined ? undefined : isInstant(field, value) ? dateTime(value) : textOf(value)
  return [...new Set([...oldValues.keys(), ...newValues.keys()])]
    .filter((field) => field !== 'updated' && textOf(oldValues.get(field)) !== textOf(newValues.get(field)))
    .map((field) => ({
      field,
      before: shown(field, oldValues.get(field)),
      after: shown(field, newValues.get(field)),
    }))
}

function flatten(thing: PlainObject, prefix: string): Map<string, unknown> {
  const entries = Object.entries(thing).flatMap(([name, value]): [string, unknown][] => {
    if (value === undefined || value === null) return []
    return isPlainObject(value) ? [...flatten(value, `${prefix}${name}.`)] : [[prefix + name, value]]
  })
  return new Map(entries)
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? listText(value) : String(value)
}

// Fields with one of these names contain Unix seconds. Smaller numbers are something else, such as minutes of a day.
const instantNames = /(?:^|\.)(?:start|end|created|expires|[a-zA-Z]+At)$/
const leastInstant = 100_000_000

function isInstant(field: string, value: unknown): value is number {
  return typeof value === 'number' && value >= leastInstant && instantNames.test(field)
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listText(items: readonly unknown[]): string {
  return items.map((item) => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')
}
