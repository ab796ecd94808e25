import { primaryLanguage } from '../../messages/language-tag.ts'
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

/** A language of the booking page with its texts. */
export interface PageLanguage {
  /** The name of the language in the language itself, such as `Deutsch`. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  readonly words: Words
}

/** The languages of the booking page in an installation, by their BCP 47 language subtag, such as `de`. */
export type PageLanguages = ReadonlyMap<string, PageLanguage>

/** The languages of the booking page that every installation has. */
export const builtInLanguages: PageLanguages = new Map([
  ['en', { name: 'English', direction: 'ltr', words: en }],
  ['de', { name: 'Deutsch', direction: 'ltr', words: de }],
  ['es', { name: 'Español', direction: 'ltr', words: es }],
  ['fr', { name: 'Français', direction: 'ltr', words: fr }],
])

/**
 * Returns the language of the booking page for a language tag, such as `de` for `de-AT`; undefined when there is none.
 */
export function pageLocale(tag: string, languages: PageLanguages): string | undefined {
  const language = primaryLanguage(tag)
  return languages.has(language) ? language : undefined
}

/**
 * Reads a language of the booking page from the content of a file: its name, direction and texts. Missing texts are
 * taken from English. Returns an error message when the content is invalid.
 */
export function readLanguage(content: unknown): PageLanguage | string {
  if (!isRecord(content)) return 'The file must contain a JSON object.'
  const { name, direction = 'ltr', words } = content
  if (typeof name !== 'string' || name === '') return '"name" must be the language’s own name.'
  if (direction !== 'ltr' && direction !== 'rtl') return '"direction" must be "ltr" or "rtl".'
  if (!isRecord(words)) return '"words" must be an object.'
  for (const [key, text] of Object.entries(words)) {
    const english = Object.entries(en).find(([known]) => known === key)?.[1]
    if (english === undefined) return `"words.${key}" is not a word of the booking page.`
    if (typeof text !== 'string' || text === '') return `"words.${key}" must be a text.`
    if (placeholdersOf(text) !== placeholdersOf(english))
      return `"words.${key}" must have these placeholders: ${placeholdersOf(english) || 'none'}.`
  }
  return { name, direction, words: { ...en, ...words } }
}

function placeholdersOf(text: string): string {
  return [...new Set(text.match(/\{\w+\}/g))].sort().join(', ')
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Replaces the placeholders of a text by values; placeholders without a value remain. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
