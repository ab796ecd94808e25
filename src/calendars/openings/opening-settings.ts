import type { SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { Approval } from '../../catalogue/services/service.ts'
import { parseDecimal } from '../../money.ts'

/**
 * Why an event cannot open time for booking: a setting in its title is unknown, has an invalid value or occurs twice;
 * the event has no time of day; or it is too long.
 */
export type OpeningFaultCode = 'unknown_setting' | 'invalid_value' | 'all_day' | 'too_long'

/** An event that matches the rule for opening time for booking, but has a fault and therefore opens no time. */
export interface OpeningFault {
  /** When the event begins, in Unix seconds. */
  readonly start: number
  readonly code: OpeningFaultCode
  /** The part of the event's title that is wrong, such as `price=abc`; empty when the title is not the reason. */
  readonly part: string
}

/** The maximum length of `OpeningFault.part`. */
const maxPart = 100

const approvals: ReadonlySet<string> = new Set<Approval>(['none', 'admin', 'provider'])

type Read = (value: string, currency: string) => SlotOverrides | undefined

const settings: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['price', (value, currency) => numeric('price', parseDecimal(value.replace(',', '.'), currency), 0)],
  ['capacity', (value) => numeric('capacity', /^\d{1,6}$/.test(value) ? Number(value) : undefined, 1, 100_000)],
  ['location', (value) => limited('location', value, 1_000)],
  ['title', (value) => limited('title', value, 200)],
  ['note', (value) => limited('note', value, 2_000)],
  ['approval', (value) => (approvals.has(value.toLowerCase()) ? approval(value.toLowerCase()) : undefined)],
])

/**
 * Returns the properties of slots that settings in a title, such as `[price=60][capacity=3]`, specify; a price is in
 * major units of `currency`. If a setting is unknown, invalid or repeated, returns the reason instead, so that no slot
 * can be booked at an unintended price or place.
 */
export function overridesFrom(
  text: string,
  currency: string,
): { readonly overrides: SlotOverrides } | Pick<OpeningFault, 'code' | 'part'> {
  let overrides: SlotOverrides = {}
  for (const [, key = '', value = ''] of text.matchAll(/\[([^=]*)=([^\]]*)\]/g)) {
    const part = `${key}=${value}`.slice(0, maxPart)
    const name = key.trim().toLowerCase()
    const read = settings.get(name)
    if (!read) return { code: 'unknown_setting', part }
    const found = name in overrides ? undefined : read(value.trim(), currency)
    if (!found) return { code: 'invalid_value', part }
    overrides = { ...overrides, ...found }
  }
  return { overrides }
}

function numeric(key: 'price' | 'capacity', value: number | undefined, least: number, most = Number.MAX_SAFE_INTEGER) {
  return value !== undefined && value >= least && value <= most ? { [key]: value } : undefined
}

function limited(key: 'location' | 'title' | 'note', value: string, length: number) {
  return value !== '' && value.length <= length ? { [key]: value } : undefined
}

function approval(value: string): SlotOverrides {
  return { approval: value as Approval }
}
