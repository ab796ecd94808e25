import type { Conversion } from '../../contract/resources.ts'
import { type Message, message } from '../../messages/message.ts'

/** A way of reading a value that is not taken as it stands; undefined where the value has a wrong type. */
interface Read {
  readonly expected: Message
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
    expected: message('expected_provider_id'),
    read: (value) =>
      typeof value === 'string' || Number.isInteger(value) ? { value: readProvider(value) } : undefined,
  },
  hostUser: {
    expected: message('expected_host_user_id'),
    read: (value) => {
      if (value === '') return { value: 0 }
      return Number.isSafeInteger(value) && Number(value) >= 0 ? { value } : undefined
    },
  },
  ids: { expected: message('expected_ids'), read: (value) => ({ value: entries(value) }) },
  providers: {
    expected: message('expected_provider_ids'),
    // Entries that name nobody stay out, but the filter stays: it then matches nothing.
    read: (value) => ({
      value: entries(value)
        ?.map(readProvider)
        .filter((id) => id !== nobody),
    }),
  },
  flag: {
    expected: message('expected_boolean'),
    read: (value) => {
      const flag = flags.get(String(value).toLowerCase())
      return flag === undefined ? undefined : { value: flag }
    },
  },
}
