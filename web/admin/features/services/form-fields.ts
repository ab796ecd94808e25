import type { FormField } from '../../../../src/catalogue/services/booking-form.ts'

/**
 * Derives a field key from a label: `hairColour` for "Hair colour", `field` for a label without Latin letters and
 * digits, and `field2Names` for "2 names". The key is cut after 60 characters. A number from 2 is appended when one of
 * the fields `others` has the same key.
 */
export function uniqueKeyFor(label: string, others: readonly FormField[]): string {
  const words =
    label
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const name = words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
  const key = (/^[a-z]/.test(name) ? name : `field${name}`).slice(0, 60)
  const taken = new Set(others.map((field) => field.key))
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? key : `${key}${number}`
    if (!taken.has(free)) return free
  }
}

/** Returns the fields of a booking form with one field moved to another index. */
export function moveField(form: readonly FormField[], from: number, to: number): FormField[] {
  const field = form[from]
  return field ? form.toSpliced(from, 1).toSpliced(to, 0, field) : [...form]
}

/** Returns the fields of a booking form without one of them; fields conditional on that field become unconditional. */
export function removeField(form: readonly FormField[], at: number): FormField[] {
  const gone = form[at]?.key
  return form.toSpliced(at, 1).map((field) => (field.when?.field === gone ? { ...field, when: null } : field))
}
