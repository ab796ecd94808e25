import { desk, everyone, leading, leadingAndProviders, staff } from '../../../../src/access/users/role-groups.ts'
import type { UserRole } from '../../../../src/access/users/user.ts'
import type { PanelLanguage } from '../../i18n/index.ts'
import type { Topics } from '../../i18n/topics/en.ts'

/**
 * The page that the command palette opens for a topic, and the roles that find the topic. A topic is a task or setting
 * that users find by search words.
 */
export interface TopicTarget {
  readonly to: string
  /** The query parameters with which the page is opened. */
  readonly search?: Readonly<Record<string, string>>
  /** The id of the element that is scrolled into view after the page has opened. */
  readonly hash?: string
  readonly roles: readonly UserRole[]
}

/** The page that each topic of the command palette opens, and the roles that find the topic. */
export const topicTargets: Readonly<Record<keyof Topics, TopicTarget>> = {
  holidays: { to: '/settings/policies', hash: 'holidays', roles: leading },
  noShows: { to: '/settings/policies', hash: 'no-shows', roles: leading },
  cancelReasons: { to: '/settings/policies', roles: leading },
  cancellation: { to: '/settings/booking-page', roles: leading },
  absence: { to: '/calendar/absence', roles: desk },
  openingHours: { to: '/providers', roles: leading },
  prices: { to: '/services', roles: leading },
  users: { to: '/settings/team', roles: ['admin'] },
  secondFactor: { to: '/profile', roles: everyone },
  appearance: { to: '/settings/site', hash: 'appearance', roles: leading },
  siteBasics: { to: '/settings/site', roles: leading },
  exportCustomers: { to: '/customers', roles: leading },
  importCustomers: { to: '/customers/import', roles: leading },
  exportPayments: { to: '/payments', roles: leading },
  blockCustomer: { to: '/customers', roles: staff },
  mergeCustomers: { to: '/customers', roles: leading },
  mailServer: { to: '/settings/notifications', roles: leading },
  templates: { to: '/settings/notifications', search: { view: 'templates' }, roles: leading },
  sms: { to: '/settings/notifications', search: { view: 'sms' }, roles: leading },
  coupons: { to: '/settings/payments', hash: 'coupons', roles: leading },
  vouchers: { to: '/vouchers', roles: desk },
  calendars: { to: '/providers', roles: leading },
  embed: { to: '/settings/booking-page', roles: leading },
  tokens: { to: '/settings/api', roles: ['admin'] },
  webhooks: { to: '/settings/api', search: { view: 'webhooks' }, roles: ['admin'] },
  backup: { to: '/settings/system', roles: leading },
  printDay: { to: '/calendar', roles: leadingAndProviders },
  password: { to: '/profile', roles: everyone },
}

const load: Readonly<Record<PanelLanguage, () => Promise<Topics>>> = {
  en: () => import('../../i18n/topics/en.ts').then(({ topics }) => topics),
  de: () => import('../../i18n/topics/de.ts').then(({ topics }) => topics),
  es: () => import('../../i18n/topics/es.ts').then(({ topics }) => topics),
  fr: () => import('../../i18n/topics/fr.ts').then(({ topics }) => topics),
}

/** Loads the topics of a language from a separate bundle, since only searches in the command palette need them. */
export function loadTopics(language: PanelLanguage): Promise<Topics> {
  return load[language]()
}
