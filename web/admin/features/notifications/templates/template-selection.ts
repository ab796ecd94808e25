import i18next from 'i18next'
import type { UserRole } from '../../../../../src/access/users/user.ts'
import { accountKinds } from '../../../../../src/notifications/account/account-kinds.ts'
import { isNotificationKind } from '../../../../../src/notifications/notification.ts'
import { smsKinds } from '../../../../../src/notifications/sms/sms.ts'
import { mailKinds, type TemplateKind } from '../../../../../src/notifications/templates/template.ts'
import { useRead } from '../../../data/queries.ts'
import { useQueryParameters } from '../../../data/query-parameters.ts'
import type { Item } from '../../../data/request.ts'
import { isLanguage, type PanelLanguage } from '../../../i18n/index.ts'
import { allKinds } from '../mail-values.ts'

/**
 * Identifies a message template by kind, language, channel and service; without a service, the template for all
 * services.
 */
export interface TemplateSelection {
  readonly kind: TemplateKind
  readonly locale: PanelLanguage
  readonly serviceId?: string
  /** The channel of the message; e-mail when absent. */
  readonly channel?: 'sms'
}

/**
 * The template for a selection (that of the service, else that of all services, else the default template), with its
 * placeholders and the last 50 versions saved for exactly this selection, the newest first.
 */
export type ShownTemplate = Item<'GET /notifications/template/'>

/** Whether a user with this role may change the messages of a kind: those to users are changed by administrators. */
export function canEdit(role: UserRole, kind: TemplateKind): boolean {
  return role === 'admin' || !accountKinds.some((one) => one === kind)
}

/** Returns the kinds of messages that a channel sends, in display order; undefined means e-mail. */
export function templateKindsOf(channel: string | undefined): readonly TemplateKind[] {
  return channel === 'sms' ? smsKinds : [...allKinds, ...mailKinds]
}

/**
 * Returns the template selection that the query parameters name. Without a valid `kind`, the kind is `confirmed`;
 * without a valid `locale`, the language is that of the panel. `serviceId` is ignored for kinds that are not about a
 * reservation.
 */
export function useTemplateSelection(): TemplateSelection {
  const [{ kind, locale = '', serviceId, channel }] = useQueryParameters()
  const language = isLanguage(i18next.language) ? i18next.language : 'en'
  const known = templateKindsOf(channel).find((one) => one === kind) ?? 'confirmed'
  return {
    kind: known,
    ...(channel === 'sms' && { channel }),
    locale: isLanguage(locale) ? locale : language,
    ...(serviceId && isNotificationKind(known) && { serviceId }),
  }
}

/** Returns the names of the services (at most 500) by id; empty until loaded. */
export function useServiceNames(): ReadonlyMap<string, string> {
  const { data } = useRead('GET /services/', { per_page: 500 })
  return new Map(data?.items.map(({ id, name }) => [id, name]))
}
