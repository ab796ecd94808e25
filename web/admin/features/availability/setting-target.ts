import type { TFunction } from 'i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import type { UserRole } from '../../../../src/access/users/user.ts'
import { navigationItems, settingsPages } from '../../app/shell/navigation-items.ts'
import type { QueryParameters } from '../../data/query-parameters.ts'

/** The service, provider and date of the slot whose rules are explained. */
export interface SettingContext {
  readonly serviceId: string
  readonly providerId: number
  /** The date in the provider's time zone, `YYYY-MM-DD`. */
  readonly date: string
}

/**
 * The page of the panel where a setting is changed, and the name of the setting; `to` is undefined when the user's
 * role may not open the page.
 */
export interface SettingTarget {
  readonly to: string | undefined
  readonly search: QueryParameters
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

/**
 * Returns the page on which a setting is changed. `setting` is the path of a setting that a rule names as its cause,
 * such as `service.leadTimeMinutes` or `provider.weekly.mon`.
 */
export function targetOfSetting(setting: string, about: SettingContext, role: UserRole): SettingTarget {
  const { to: settingsPath, ...rest } = settingTarget(setting, about)
  // Users with the role `provider` change their own hours at `/hours`; they may not open the pages of providers and
  // services.
  const own =
    role === 'provider' && settingsPath === '/providers' && !/^provider\.(services|allowedServices)/.test(setting)
  const to = own ? '/hours' : settingsPath
  const page = [...navigationItems, ...settingsPages].find((one) => one.to === to)
  return { to: page && admits(page.roles, role) ? to : undefined, ...rest }
}

function settingTarget(setting: string, { serviceId, providerId, date }: SettingContext): SettingTarget {
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
