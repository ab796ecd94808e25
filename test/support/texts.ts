import { de as deWords } from '../../src/booking-page/words/de.ts'
import { en as enWords } from '../../src/booking-page/words/en.ts'
import { es as esWords } from '../../src/booking-page/words/es.ts'
import { fr as frWords } from '../../src/booking-page/words/fr.ts'
import { de as deMessages } from '../../src/messages/de.ts'
import { en as enMessages } from '../../src/messages/en.ts'
import { es as esMessages } from '../../src/messages/es.ts'
import { fr as frMessages } from '../../src/messages/fr.ts'
import { isNotificationKind, notificationKinds } from '../../src/notifications/notification.ts'
import { defaultSmsText } from '../../src/notifications/sms/sms-texts.ts'
import { de as deTemplates } from '../../src/notifications/templates/de.ts'
import { wordsOf } from '../../src/notifications/templates/defaults.ts'
import { en as enTemplates } from '../../src/notifications/templates/en.ts'
import { es as esTemplates } from '../../src/notifications/templates/es.ts'
import { fr as frTemplates } from '../../src/notifications/templates/fr.ts'
import type { Templates } from '../../src/notifications/templates/template.ts'
import { unsubscribePage } from '../../src/notifications/unsubscribe-page.ts'
import { wordsOfReceipt } from '../../src/payments/receipts/receipt-words.ts'
import { topics as deTopics } from '../../web/admin/i18n/topics/de.ts'
import { topics as enTopics } from '../../web/admin/i18n/topics/en.ts'
import { topics as esTopics } from '../../web/admin/i18n/topics/es.ts'
import { topics as frTopics } from '../../web/admin/i18n/topics/fr.ts'
import { type CatalogueLanguage, catalogues } from './panel-translator.ts'

const words = { en: enWords, de: deWords, es: esWords, fr: frWords }
const messages = { en: enMessages, de: deMessages, es: esMessages, fr: frMessages }
const topics = { en: enTopics, de: deTopics, es: esTopics, fr: frTopics }

/** The default templates of mails in each language. */
export const templates: Readonly<Record<CatalogueLanguage, Templates>> = {
  en: enTemplates,
  de: deTemplates,
  es: esTemplates,
  fr: frTemplates,
}

/** A text for people, and the name of the file or function and the key by which it is found. */
type PlacedText = readonly [place: string, text: string]

/**
 * Returns the texts for people in a language: those of the panel and the booking page, the messages, the default
 * templates of mails and short messages, receipts, and the page to unsubscribe.
 */
export function textsOf(language: CatalogueLanguage): readonly PlacedText[] {
  const site = 'Harbour'
  const pages = (['asking', 'done', 'expired'] as const).map((state) =>
    unsubscribePage({ locale: language, site, id: '', state }).replace(/<style>.*?<\/style>/s, ''),
  )
  const parts: Readonly<Record<string, unknown>> = {
    panel: catalogues[language],
    topics: Object.fromEntries(Object.entries(topics[language]).map(([name, { label }]) => [name, label])),
    booking: words[language],
    messages: messages[language],
    templates: templates[language],
    mail: wordsOf(language),
    sms: Object.keys(notificationKinds).map((kind) => isNotificationKind(kind) && defaultSmsText(kind, language)),
    receipts: wordsOfReceipt(language).words,
    unsubscribe: pages.flatMap((page) => page.match(/(?<=>)[^<>]+(?=<)/g) ?? []),
  }
  return Object.entries(parts).flatMap(([name, part]) => placed(part, name))
}

function placed(part: unknown, place: string): PlacedText[] {
  if (typeof part === 'string') return [[place, part]]
  return Object.entries(Object(part)).flatMap(([name, inner]) => placed(inner, `${place}.${name}`))
}
