import { type Data, mergeData, sameJson, tooMuchMerged } from '../../data.ts'
import { type Message, message } from '../../messages/message.ts'
import type { Details } from '../../messages/refusal.ts'
import { isColor } from './color.ts'
import {
  defaultServiceSettings,
  type Limits,
  maxAppointmentMinutes,
  type ProviderServiceSettings,
  providerServiceKeys,
  type Service,
  type ServiceSettings,
} from './service.ts'

/** An edit of a service through the public API; an absent field is unchanged. */
export interface ServiceChange {
  readonly name?: string
  readonly description?: string
  readonly color?: string | null
  /**
   * The keys to merge into the service's `data`: fields of the service itself such as `name`, keys of integrations, and
   * settings. Settings other than `durationMinutes` are accepted only with their current values, since only the panel
   * and the site file (a JSON description of the site) may change them.
   */
  readonly data?: Data
}

/** Messages about fields that are invalid or must not be changed, by field; empty for none. */
type Faults = Details

/**
 * The result of `applyServiceChange`: the changed service, or messages about invalid fields, or messages about changed
 * settings that only the panel and the site file may change.
 */
export type EditedService =
  | { readonly service: Service }
  | { readonly invalid: Faults }
  | { readonly panelOnly: Faults }

/**
 * Returns a service with an edit applied, or messages about the refused fields. An edit that contains a service exactly
 * as the public API returned it changes nothing.
 */
export function applyServiceChange(service: Service, change: ServiceChange): EditedService {
  const { name, description, color, durationMinutes, ...others } = change.data ?? {}
  const invalid: Record<string, Message> = {}
  const own = <T>(field: OwnField<T>): T => {
    const current = field.beside === undefined ? field.kept : field.beside
    if (field.sent === undefined) return current
    const value = field.read(field.sent)
    if (value === undefined) invalid[`data.${field.key}`] = field.expected
    else if (field.beside !== undefined && value !== field.beside) {
      invalid[`data.${field.key}`] = message('differs_from_alias', { name: field.key })
    }
    return value === undefined ? current : value
  }
  const edited = {
    id: service.id,
    name: own({ key: 'name', sent: name, beside: change.name, kept: service.name, ...nameField }),
    description: own({
      key: 'description',
      sent: description,
      beside: change.description,
      kept: service.description,
      ...descriptionField,
    }),
    color: own({ key: 'color', sent: color, beside: change.color, kept: service.color, ...colorField }),
    settings: {
      ...service.settings,
      durationMinutes: own({
        key: 'durationMinutes',
        sent: durationMinutes,
        beside: undefined,
        kept: service.settings.durationMinutes,
        ...durationField,
      }),
    },
    data: mergeData(service.data, without(others, panelSettings)),
    form: service.form,
  }
  const tooMuch = tooMuchMerged(service.data, edited.data)
  if (tooMuch !== undefined) invalid.data = tooMuch
  if (Object.keys(invalid).length > 0) return { invalid }
  const panelOnly = changedPanelSettings(service, others)
  return Object.keys(panelOnly).length > 0 ? { panelOnly } : { service: edited }
}

/** Changes of a service's settings in the format of the panel and of the site file; an absent setting is unchanged. */
export type SettingsChange = Partial<Omit<ServiceSettings, 'limits'>> & {
  /** The limits that replace all limits of the service; a limit that is absent or null no longer applies. */
  readonly limits?: { readonly [Name in keyof Limits]?: number | null }
}

/** Returns the settings of a service with a change applied. */
export function mergeSettings(before: ServiceSettings, { limits, ...change }: SettingsChange): ServiceSettings {
  const bind = limits && Object.fromEntries(Object.entries(limits).filter(([, most]) => most !== null))
  return { ...before, ...change, ...(bind && { limits: bind }) }
}

/** The settings of a service that only the panel and the site file may change. */
export const panelSettings: ReadonlySet<string> = new Set(
  Object.keys(defaultServiceSettings).filter((key) => key !== 'durationMinutes'),
)

/**
 * The keys that the `data` of a service cannot store: there the public API reads and shows the service's own fields and
 * settings.
 */
export const reservedServiceKeys: ReadonlySet<string> = new Set([
  'name',
  'description',
  'color',
  ...Object.keys(defaultServiceSettings),
])

function changedPanelSettings(service: Service, sent: Data): Faults {
  const settings = new Map<string, unknown>(Object.entries(service.settings))
  const changed = Object.entries(sent).filter(
    ([key, value]) => panelSettings.has(key) && !sameJson(value, settings.get(key)),
  )
  return Object.fromEntries(changed.map(([key]) => [`data.${key}`, message('changed_in_panel')]))
}

/** A field of the service itself that may be sent inside of `data`, and the function that parses it. */
interface OwnField<T> {
  readonly key: string
  readonly sent: unknown
  /** The value that the request contains for the same field outside of `data`; undefined when there is none. */
  readonly beside: T | undefined
  readonly kept: T
  /** Parses a value; undefined when it is invalid. */
  readonly read: (value: unknown) => T | undefined
  readonly expected: Message
}

const nameField = {
  read: (value: unknown) => (textUpTo(200, value) === '' ? undefined : textUpTo(200, value)),
  expected: message('must_be_name'),
}

const descriptionField = {
  read: (value: unknown) => (value === null ? '' : textUpTo(10_000, value)),
  expected: message('must_be_description'),
}

const colorField = {
  read: (value: unknown) => {
    if (value === null) return null
    const text = textUpTo(100, value)
    return text !== undefined && isColor(text) ? text : undefined
  },
  expected: message('must_be_color'),
}

const durationField = {
  read: (value: unknown) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined
    return value >= 1 && value <= maxAppointmentMinutes ? value : undefined
  },
  expected: message('must_be_minutes'),
}

function textUpTo(length: number, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  // As in the validator of requests, a character that takes two UTF-16 code units counts once.
  return [...text].length <= length ? text : undefined
}

/** Returns data without some of its keys. */
export function without(data: Data, keys: ReadonlySet<string>): Data {
  return Object.fromEntries(Object.entries(data).filter(([key]) => !keys.has(key)))
}

/** The stored settings and integration data of one provider for one service. */
export interface ProviderService {
  readonly settings: ProviderServiceSettings
  readonly data: Data
}

/** The settings of a provider for a service, which the integration data of the two cannot store. */
export const providerSettings: ReadonlySet<string> = new Set(providerServiceKeys)

/**
 * Merges changes into the settings and the integration data of one provider for one service; null deletes a key.
 * Returns messages by field for values of a wrong type and for too much data. The schema of the request has already
 * validated the range of the settings.
 */
export function mergeProviderService(
  kept: ProviderService,
  changes: Data,
): { readonly kept: ProviderService } | { readonly invalid: Faults } {
  const entries = Object.entries(changes)
  const known = entries.filter(([key]) => providerSettings.has(key))
  const settings = mergeData({ ...kept.settings }, Object.fromEntries(known))
  if (!areProviderSettings(settings)) return { invalid: wrongTypes(settings) }
  const data = mergeData(kept.data, without(changes, providerSettings))
  const tooMuch = tooMuchMerged(kept.data, data)
  return tooMuch === undefined ? { kept: { settings, data } } : { invalid: { data: tooMuch } }
}

function areProviderSettings(settings: Data): settings is ProviderServiceSettings & Data {
  return Object.keys(wrongTypes(settings)).length === 0
}

function wrongTypes(settings: Data): Faults {
  const wrong = Object.entries(settings).filter(([key, value]) =>
    key === 'participate' ? typeof value !== 'boolean' : !Number.isSafeInteger(value),
  )
  return Object.fromEntries(
    wrong.map(([key]) => [key, key === 'participate' ? message('must_be_boolean') : message('must_be_integer')]),
  )
}
