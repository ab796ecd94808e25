import { de, deWords } from './de.ts'
import { en, enWords } from './en.ts'
import { es, esWords } from './es.ts'
import { fr, frWords } from './fr.ts'
import type { Locale, MessageWords, Template, TemplateKind, Templates } from './template.ts'

const texts: Readonly<Record<Locale, Templates>> = { en, de, es, fr }
const words: Readonly<Record<Locale, MessageWords>> = { en: enWords, de: deWords, es: esWords, fr: frWords }

/** Returns the default template of a kind of message in a language. */
export function defaultTemplate(kind: TemplateKind, locale: Locale): Template {
  return texts[locale][kind]
}

/** Returns the fixed texts of messages in a language. */
export function wordsOf(locale: Locale): MessageWords {
  return words[locale]
}
