import i18next from 'i18next'
import type { NotificationKind } from '../../../../../src/notifications/notification.ts'
import { smsKinds } from '../../../../../src/notifications/sms/sms.ts'
import { useAddress } from '../../../data/address.ts'
import { useRead } from '../../../data/queries.ts'
import type { Item } from '../../../data/request.ts'
import { isLanguage, type PanelLanguage } from '../../../i18n/index.ts'
import { allKinds } from '../settings-values.ts'

/** Which template: of a kind in a language, of one service or, when absent, of all. */
export interface TemplateKey {
  readonly kind: NotificationKind
  readonly locale: PanelLanguage
  readonly serviceId?: string
  /** E-mail when absent. */
  readonly channel?: 'sms'
}

/** The template that applies, with its placeholders and earlier versions. */
export type ShownTemplate = Item<'GET /notifications/template/'>

/** Returns the template that the query parameters name, with defaults for those that are absent. */
export function useTemplateKey(): TemplateKey {
  const [{ kind, locale = '', serviceId, channel }] = useAddress()
  const language = isLanguage(i18next.language) ? i18next.language : 'en'
  const kinds = channel === 'sms' ? smsKinds : allKinds
  return {
    kind: kinds.find((one) => one === kind) ?? 'confirmed',
    ...(channel === 'sms' && { channel }),
    locale: isLanguage(locale) ? locale : language,
    ...(serviceId && { serviceId }),
  }
}

/** The name of each service by id; empty until loaded. */
export function useServiceNames(): ReadonlyMap<string, string> {
  const { data } = useRead('GET /services/', { per_page: 500 })
  return new Map(data?.items.map(({ id, name }) => [id, name]))
}
