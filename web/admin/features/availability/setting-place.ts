import type { TFunction } from 'i18next'
import type { UserRole } from '../../../../src/access/users/user.ts'
import { places, settingsPlaces } from '../../app/shell/places.ts'
import type { Address } from '../../data/address.ts'
import { admits } from '../../data/session.ts'

/** What a verdict is about. */
export interface SettingAbout {
  readonly serviceId: string
  readonly providerId: number
  /** The local date. */
  readonly date: string
}

/** Where in the panel a setting is changed; `to` is undefined where no page of this person's has it. */
export interface SettingPlace {
  readonly to: string | undefined
  readonly search: Address
  readonly name: (t: TFunction<'words'>) => string
}

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
export function placeOfSetting(setting: string, about: SettingAbout, role: UserRole): SettingPlace {
  const { to: sought, ...rest } = place(setting, about)
  // A provider has the own hours in a place of their own, and services in none.
  const own = role === 'provider' && sought === '/providers' && !/^provider\.(services|allowedServices)/.test(setting)
  const to = own ? '/hours' : sought
  const page = [...places, ...settingsPlaces].find((one) => one.to === to)
  return { to: page && admits(page.roles, role) ? to : undefined, ...rest }
}

function place(setting: string, { serviceId, providerId, date }: SettingAbout): SettingPlace {
  const [kind = '', ...path] = setting.split('.')
  const field = path.at(-1) ?? ''
  if (kind === 'service') {
    const name = (t: TFunction<'words'>) => (isField(field) ? t(`services.fields.${field}`) : t('places.services'))
    return { to: '/services', search: { open: serviceId, field }, name }
  }
  if (kind === 'site') return { to: '/settings/policies', search: {}, name: (t) => t('policies.holidays') }
  if (kind === 'reservations') {
    const search = { providerId: String(providerId), from: date, to: date, when: 'all' }
    return { to: '/reservations', search, name: (t) => t('why.at.reservations') }
  }
  const part = (path[0] ?? '').replace(/\[.*/, '')
  const search = { open: String(providerId), part, ...(part === 'services' && { service: path[1] ?? '' }) }
  return { to: '/providers', search, name: (t) => providerName(t, part, field) }
}

function providerName(t: TFunction<'words'>, part: string, field: string): string {
  if (part === 'services') return t('why.at.own', { field: isField(field) ? t(`services.fields.${field}`) : field })
  return isPart(part) ? t(`why.at.${part}`) : t('why.provider')
}

const parts = ['weekly', 'overrides', 'timeOff', 'calendars', 'allowedServices'] as const

function isPart(text: string): text is (typeof parts)[number] {
  return parts.some((part) => part === text)
}
