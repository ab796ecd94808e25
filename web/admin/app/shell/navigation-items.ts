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
import type { PanelTexts } from '../../i18n/messages.ts'

/** One entry of the navigation: its path, its label, and the roles that see it. */
export interface NavigationItem {
  readonly to: string
  readonly labelKey: keyof PanelTexts['places']
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  readonly roles: readonly UserRole[]
}

/** The navigation entries in display order; the first four appear in the bottom bar on a phone. */
export const navigationItems: readonly NavigationItem[] = [
  { to: '/today', labelKey: 'today', icon: IconCalendarEvent, roles: everyone },
  { to: '/calendar', labelKey: 'calendar', icon: IconCalendarWeek, roles: everyone },
  { to: '/reservations', labelKey: 'reservations', icon: IconListDetails, roles: everyone },
  { to: '/customers', labelKey: 'customers', icon: IconUsers, roles: everyone },
  { to: '/services', labelKey: 'services', icon: IconTags, roles: leading },
  { to: '/providers', labelKey: 'providers', icon: IconUserCog, roles: leading },
  { to: '/hours', labelKey: 'hours', icon: IconClockHour4, roles: ['provider'] },
  { to: '/why', labelKey: 'why', icon: IconHelpHexagon, roles: staff },
  { to: '/payments', labelKey: 'payments', icon: IconReceipt, roles: leading },
  { to: '/vouchers', labelKey: 'vouchers', icon: IconGift, roles: desk },
  { to: '/reports', labelKey: 'reports', icon: IconChartBar, roles: leadingAndProviders },
  { to: '/start', labelKey: 'start', icon: IconHome, roles: everyone },
  { to: '/settings', labelKey: 'settings', icon: IconSettings, roles: leading },
]

/** One page of the settings: its path, its label, and the roles that see it. */
export interface SettingsPage {
  readonly to: string
  readonly labelKey: keyof PanelTexts['places']
  readonly roles: readonly UserRole[]
}

/** The pages of the settings in display order. */
export const settingsPages: readonly SettingsPage[] = [
  { to: '/settings/site', labelKey: 'site', roles: leading },
  { to: '/settings/policies', labelKey: 'policies', roles: leading },
  { to: '/settings/booking-page', labelKey: 'bookingPage', roles: leading },
  { to: '/settings/payments', labelKey: 'payments', roles: leading },
  { to: '/settings/notifications', labelKey: 'notifications', roles: leading },
  { to: '/settings/team', labelKey: 'team', roles: ['admin'] },
  { to: '/settings/api', labelKey: 'api', roles: ['admin'] },
  { to: '/settings/history', labelKey: 'history', roles: leading },
  { to: '/settings/system', labelKey: 'system', roles: leading },
  { to: '/settings/jobs', labelKey: 'jobs', roles: leading },
  { to: '/settings/site-file', labelKey: 'siteFile', roles: ['admin'] },
]
