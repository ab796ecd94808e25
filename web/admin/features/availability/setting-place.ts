import type { TFunction } from 'i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import type { UserRole } from '../../../../src/access/users/user.ts'
import { places, settingsPlaces } from '../../app/shell/places.ts'
import type { Address } from '../../data/address.ts'

/** The service, provider and date of a verdict. */
export interface SettingAbout {
  readonly serviceId: string
  readonly providerId: number
  /** The local date. */
  readonly date: string
}

/** Where in the panel a setting is changed; `to` is undefined when the user's role has no such page. */
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

/** Returns the page for a setting that a verdict names (`service.leadTimeMinutes`, `provider.weekly.mon`). */
export function placeOfSetting(setting: string, about: SettingAbout, role: UserRole): SettingPlace {
  const { to: settingsPath, ...rest } = place(setting, about)
  // The role provider has a page of their own hours, and no page of services.
  const own =
    role === 'provider' && settingsPath === '/providers' && !/^provider\.(services|allowedServices)/.test(setting)
  const to = own ? '/hours' : settingsPath
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
