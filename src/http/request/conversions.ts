import type { Conversion } from '../../contract/resources.ts'

/** A way of reading a value that is not taken as it stands; undefined where the value has a wrong type. */
interface Read {
  readonly expected: string
  readonly read: (value: unknown) => { readonly value: unknown } | undefined
}

/** Provider ids are positive; 0 names nobody. */
const nobody = 0

function readProvider(value: unknown): number {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : nobody
}

/** The entries of a comma list without blanks; undefined when there is none, which is no filter. */
function entries(value: unknown): string[] | undefined {
  const found = String(value)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  return found.length > 0 ? found : undefined
}

const flags = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off', ''].map((word) => [word, false] as const),
])

/** A way for each note of the contract; `trimmed` is the text's own. */
export const conversions: Readonly<Record<Exclude<Conversion, 'trimmed'>, Read>> = {
  provider: {
    expected: 'a provider id: a whole number or a text',
    read: (value) =>
      typeof value === 'string' || Number.isInteger(value) ? { value: readProvider(value) } : undefined,
  },
  hostUser: {
    expected: 'the id of a host user: a whole number from 1 up, or 0 for none',
    read: (value) => {
      if (value === '') return { value: 0 }
      return Number.isSafeInteger(value) && Number(value) >= 0 ? { value } : undefined
    },
  },
  ids: { expected: 'ids with commas between them', read: (value) => ({ value: entries(value) }) },
  providers: {
    expected: 'provider ids with commas between them',
    // Entries that name nobody stay out, but the filter stays: it then matches nothing.
    read: (value) => ({
      value: entries(value)
        ?.map(readProvider)
        .filter((id) => id !== nobody),
    }),
  },
  flag: {
    expected: 'true or false',
    read: (value) => {
      const flag = flags.get(String(value).toLowerCase())
      return flag === undefined ? undefined : { value: flag }
    },
  },
}
