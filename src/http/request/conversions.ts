import type { Conversion } from '../../contract/fields.ts'
import { type Message, message } from '../../messages/message.ts'

/** A converter of values to one type; `read` returns undefined for a value that cannot be converted. */
interface Read {
  readonly expected: Message
  readonly read: (value: unknown) => { readonly value: unknown } | undefined
}

/** The number to which an invalid provider id is converted: ids are positive, so it matches no provider. */
const noProvider = 0

function readProvider(value: unknown): number {
  const id = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(id) && Number(id) > 0 ? Number(id) : noProvider
}

/**
 * Returns the non-empty entries of a comma-separated list, trimmed; undefined, which means no filter, if all are empty.
 */
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

/**
 * One converter for each conversion that the contract names, except `trimmed`, which the validator of strings applies.
 */
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
    // Entries that are not provider ids are dropped. If that empties the list, it matches no provider, whereas an
    // absent list matches all.
    read: (value) => ({
      value: entries(value)
        ?.map(readProvider)
        .filter((id) => id !== noProvider),
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
