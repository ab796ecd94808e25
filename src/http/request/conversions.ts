import type { Conversion } from '../../contract/resources.ts'

/** Converts a query value of one kind; undefined where the value has a wrong type. */
interface Read {
  readonly expected: string
  readonly read: (value: unknown) => { readonly value: unknown } | undefined
}

/** Provider ids are positive; 0 matches no provider. */
const noProvider = 0

function readProvider(value: unknown): number {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : noProvider
}

/** Returns the entries of a comma-separated list without blanks; undefined for an empty list, which is no filter. */
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

/** One converter per conversion of the contract; `trimmed` belongs to strings. */
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
    // Entries that match no provider are dropped, but the filter remains and matches nothing.
    read: (value) => ({
      value: entries(value)
        ?.map(readProvider)
        .filter((id) => id !== noProvider),
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
