import assert from 'node:assert/strict'
import { de } from '../../web/admin/i18n/de.ts'
import { en } from '../../web/admin/i18n/en.ts'
import { es } from '../../web/admin/i18n/es.ts'
import { fr } from '../../web/admin/i18n/fr.ts'
import { later as deLater } from '../../web/admin/i18n/later/later-de.ts'
import { later as enLater } from '../../web/admin/i18n/later/later-en.ts'
import { later as esLater } from '../../web/admin/i18n/later/later-es.ts'
import { later as frLater } from '../../web/admin/i18n/later/later-fr.ts'

const catalogues = {
  en: { ...en, ...enLater },
  de: { ...de, ...deLater },
  es: { ...es, ...esLater },
  fr: { ...fr, ...frLater },
}

/** A language of the panel. */
export type PanelLanguage = keyof typeof catalogues

/** The languages of the panel. */
export const panelLanguages = ['en', 'de', 'es', 'fr'] as const satisfies readonly PanelLanguage[]

/** Returns the text of a key of the panel's catalogue, with its values filled in; plurals by `_one` and `_other`. */
export type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** Returns the texts that the panel shows in this language, for tests that find controls by name in any language. */
export function panelWords(language: PanelLanguage): Say {
  return (key, values = {}) => {
    const form = values.count === undefined || values.count === 1 ? '_one' : '_other'
    const text = textAt(language, key) ?? textAt(language, key + form)
    assert.ok(text !== undefined, `${language} has no text ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (hole, name) => String(values[name] ?? hole))
  }
}

function textAt(language: PanelLanguage, key: string): string | undefined {
  let part: unknown = catalogues[language]
  for (const name of key.split('.')) part = Object(part)[name]
  return typeof part === 'string' ? part : undefined
}
