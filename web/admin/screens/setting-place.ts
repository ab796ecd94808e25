import type { TFunction } from 'i18next'
import type { PersonRole } from '../../../src/domain/person.ts'
import type { Address } from '../data/address.ts'

/** What a verdict is about. */
export interface SettingAbout {
  readonly serviceId: string
  readonly providerId: number
  /** The local date. */
  readonly date: string
}

/** Where in the panel a setting is changed. */
export interface SettingPlace {
  readonly to: string
  readonly search: Address
  readonly roles: readonly PersonRole[]
  readonly name: (t: TFunction<'words'>) => string
}

const all: readonly PersonRole[] = ['admin', 'manager', 'provider']
const leading: readonly PersonRole[] = ['admin', 'manager']

const fields = [
  'active',
  'durationMinutes',
  'intervalMinutes',
  'capacity',
  'leadTimeMinutes',
  'horizonDays',
  'routingMode',
  'participate',
  'limits',
  'perProviderDay',
  'perServiceDay',
  'minutesPerProviderWeek',
] as const

function isField(text: string): text is (typeof fields)[number] {
  return fields.some((field) => field === text)
}

/** Where the setting that a verdict names (`service.leadTimeMinutes`, `provider.weekly.mon`) is changed. */
export function placeOfSetting(setting: string, { serviceId, providerId, date }: SettingAbout): SettingPlace {
  const [kind = '', ...path] = setting.split('.')
  const field = path.at(-1) ?? ''
  if (kind === 'service') {
    const search = { open: serviceId, field }
    return {
      to: '/services',
      search,
      roles: leading,
      name: (t) => (isField(field) ? t(`services.fields.${field}`) : t('places.services')),
    }
  }
  if (kind === 'site')
    return { to: '/settings/policies', search: {}, roles: leading, name: (t) => t('policies.holidays') }
  if (kind === 'reservations') {
    const search = { providerId: String(providerId), from: date, to: date, when: 'all' }
    return { to: '/reservations', search, roles: all, name: (t) => t('places.reservations') }
  }
  const part = (path[0] ?? '').replace(/\[.*/, '')
  return {
    to: '/providers',
    search: { open: String(providerId), part },
    roles: all,
    name: (t) => providerName(t, part, field),
  }
}

function providerName(t: TFunction<'words'>, part: string, field: string): string {
  if (part === 'services') return t('why.at.own', { field: isField(field) ? t(`services.fields.${field}`) : field })
  return isPart(part) ? t(`why.at.${part}`) : t('places.providers')
}

const parts = ['weekly', 'overrides', 'timeOff', 'calendars', 'allowedServices'] as const

function isPart(text: string): text is (typeof parts)[number] {
  return parts.some((part) => part === text)
}
