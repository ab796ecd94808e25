import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

/** A language of the booking page. */
export type PageLocale = 'en' | 'de' | 'es' | 'fr'

/** The languages of the booking page, each with its own name. */
export const languageNames: Readonly<Record<PageLocale, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
}

/** All words by language. */
export const wordsOf: Readonly<Record<PageLocale, Words>> = { en, de, es, fr }

/** Returns the language of a tag such as `de-AT`; undefined when the page does not speak it. */
export function pageLocale(tag: string): PageLocale | undefined {
  const language = tag.trim().toLowerCase().split('-', 1)[0] ?? ''
  return language === 'en' || language === 'de' || language === 'es' || language === 'fr' ? language : undefined
}

/** Inserts values for the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
