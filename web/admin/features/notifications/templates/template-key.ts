import i18next from 'i18next'
import { isNotificationKind } from '../../../../../src/notifications/notification.ts'
import { smsKinds } from '../../../../../src/notifications/sms/sms.ts'
import { mailKinds, type TemplateKind } from '../../../../../src/notifications/templates/template.ts'
import { useAddress } from '../../../data/address.ts'
import { useRead } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { isLanguage, type PanelLanguage } from '../../../i18n/index.ts'
import { allKinds } from '../settings-values.ts'

/**
 * Identifies a template by kind, language and channel, and by service; without a service, it is the template of all
 * services.
 */
export interface TemplateKey {
  readonly kind: TemplateKind
  readonly locale: PanelLanguage
  readonly serviceId?: string
  /** The channel of the message; e-mail when absent. */
  readonly channel?: 'sms'
}

/** The template that applies, with its placeholders and earlier versions. */
export type ShownTemplate = Item<'GET /notifications/template/'>

/** Every kind of message with templates of a channel, in display order. */
export function kindsOf(channel: string | undefined): readonly TemplateKind[] {
  return channel === 'sms' ? smsKinds : [...allKinds, ...mailKinds]
}

/** Returns the template that the query parameters name, with defaults for those that are absent. */
export function useTemplateKey(): TemplateKey {
  const [{ kind, locale = '', serviceId, channel }] = useAddress()
  const language = isLanguage(i18next.language) ? i18next.language : 'en'
  const known = kindsOf(channel).find((one) => one === kind) ?? 'confirmed'
  return {
    kind: known,
    ...(channel === 'sms' && { channel }),
    locale: isLanguage(locale) ? locale : language,
    ...(serviceId && isNotificationKind(known) && { serviceId }),
  }
}

/** The name of each service by id; empty until loaded. */
export function useServiceNames(): ReadonlyMap<string, string> {
  const { data } = useRead('GET /services/', { per_page: 500 })
  return new Map(data?.items.map(({ id, name }) => [id, name]))
}
