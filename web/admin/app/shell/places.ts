import {
  IconCalendarEvent,
  IconCalendarWeek,
  IconChartBar,
  IconClockHour4,
  IconGift,
  IconHelpHexagon,
  IconHome,
  IconListDetails,
  IconReceipt,
  IconSettings,
  IconTags,
  IconUserCog,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { desk, everyone, leading, leadingAndProviders, staff } from '../../../../src/access/users/role-groups.ts'
import type { UserRole } from '../../../../src/access/users/user.ts'
import type { Words } from '../../i18n/messages.ts'

/** One entry of the navigation: its path, its label, and the roles that see it. */
export interface PanelPlace {
  readonly to: string
  readonly word: keyof Words['places']
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly roles: readonly UserRole[]
}

/** The navigation entries in display order; the first four appear in the bottom bar on a phone. */
export const places: readonly PanelPlace[] = [
  { to: '/today', word: 'today', icon: IconCalendarEvent, roles: everyone },
  { to: '/calendar', word: 'calendar', icon: IconCalendarWeek, roles: everyone },
  { to: '/reservations', word: 'reservations', icon: IconListDetails, roles: everyone },
  { to: '/customers', word: 'customers', icon: IconUsers, roles: everyone },
  { to: '/services', word: 'services', icon: IconTags, roles: leading },
  { to: '/providers', word: 'providers', icon: IconUserCog, roles: leading },
  { to: '/hours', word: 'hours', icon: IconClockHour4, roles: ['provider'] },
  { to: '/why', word: 'why', icon: IconHelpHexagon, roles: staff },
  { to: '/payments', word: 'payments', icon: IconReceipt, roles: leading },
  { to: '/vouchers', word: 'vouchers', icon: IconGift, roles: desk },
  { to: '/reports', word: 'reports', icon: IconChartBar, roles: leadingAndProviders },
  { to: '/start', word: 'start', icon: IconHome, roles: everyone },
  { to: '/settings', word: 'settings', icon: IconSettings, roles: leading },
]

/** One page of the settings. */
export interface SettingsPlace {
  readonly to: string
  readonly word: keyof Words['places']
  readonly roles: readonly UserRole[]
}

/** The pages of the settings in display order. */
export const settingsPlaces: readonly SettingsPlace[] = [
  { to: '/settings/site', word: 'site', roles: leading },
  { to: '/settings/policies', word: 'policies', roles: leading },
  { to: '/settings/booking-page', word: 'bookingPage', roles: leading },
  { to: '/settings/payments', word: 'payments', roles: leading },
  { to: '/settings/notifications', word: 'notifications', roles: leading },
  { to: '/settings/team', word: 'team', roles: ['admin'] },
  { to: '/settings/api', word: 'api', roles: ['admin'] },
  { to: '/settings/history', word: 'history', roles: leading },
  { to: '/settings/system', word: 'system', roles: leading },
  { to: '/settings/jobs', word: 'jobs', roles: leading },
  { to: '/settings/site-file', word: 'siteFile', roles: ['admin'] },
]
