import assert from 'node:assert/strict'
import { de } from '../../web/admin/i18n/de.ts'
import { deferred as deDeferred } from '../../web/admin/i18n/deferred/deferred-de.ts'
import { deferred as enDeferred } from '../../web/admin/i18n/deferred/deferred-en.ts'
import { deferred as esDeferred } from '../../web/admin/i18n/deferred/deferred-es.ts'
import { deferred as frDeferred } from '../../web/admin/i18n/deferred/deferred-fr.ts'
import { en } from '../../web/admin/i18n/en.ts'
import { es } from '../../web/admin/i18n/es.ts'
import { fr } from '../../web/admin/i18n/fr.ts'

/** The panel’s texts in each of its languages: the initial ones, and those loaded with the screens that need them. */
export const catalogues = {
  en: [en, enDeferred],
  de: [de, deDeferred],
  es: [es, esDeferred],
  fr: [fr, frDeferred],
} as const

/** The code of a language of the panel. */
export type CatalogueLanguage = keyof typeof catalogues

/** The codes of the panel's languages. */
export const panelLanguages = ['en', 'de', 'es', 'fr'] as const satisfies readonly CatalogueLanguage[]

/**
 * Returns the panel's text for a key, with `values` filled in; fails when there is none. If the text has plural forms,
 * the number `values.count` selects one: `_one` for 1 or when absent, otherwise `_other`.
 */
export type Translate = (key: string, values?: Readonly<Record<string, string | number>>) => string

/**
 * Returns a function that looks up the texts that the panel shows in this language, for tests that find controls by
 * name in any language.
 */
export function panelTranslator(language: CatalogueLanguage): Translate {
  return (key, values = {}) => {
    const form = values.count === undefined || values.count === 1 ? '_one' : '_other'
    const text = textAt(language, key) ?? textAt(language, key + form)
    assert.ok(text !== undefined, `${language} has no text ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (hole, name) => String(values[name] ?? hole))
  }
}

function textAt(language: CatalogueLanguage, key: string): string | undefined {
  const found = catalogues[language].map((catalogue) =>
    key.split('.').reduce<unknown>((part, name) => Object(part)[name], catalogue),
  )
  return found.find((text) => typeof text === 'string')
}
