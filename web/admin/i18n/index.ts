import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { formatMessage } from '../../../src/messages/format.ts'
import type { Message, Texts } from '../../../src/messages/message.ts'
import { loadRepeatedly } from '../data/load-repeatedly.ts'
import type { DeferredTexts, InitialTexts, PanelTexts } from './messages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words'
    resources: { words: PanelTexts }
  }
}

/** The languages of the panel: the name of each language in that language, by its code. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const

/** The code of a language of the panel. */
export type PanelLanguage = keyof typeof languages

// Loads the initial texts of a language. Each language is a separate bundle, so that a browser loads only those it
// uses. The locales of Dayjs contain the names of months and weekdays for calendar pop-ups.
const load: Readonly<Record<PanelLanguage, () => Promise<InitialTexts>>> = {
  en: () => import('./en.ts').then(({ en }) => en),
  de: () => Promise.all([import('./de.ts'), import('dayjs/locale/de')]).then(([{ de }]) => de),
  es: () => Promise.all([import('./es.ts'), import('dayjs/locale/es')]).then(([{ es }]) => es),
  fr: () => Promise.all([import('./fr.ts'), import('dayjs/locale/fr')]).then(([{ fr }]) => fr),
}

// Loads the texts of a language that only some screens need, such as the pages of the settings.
const loadDeferred: Readonly<Record<PanelLanguage, () => Promise<DeferredTexts>>> = {
  en: () => import('./deferred/deferred-en.ts').then(({ deferred }) => deferred),
  de: () => import('./deferred/deferred-de.ts').then(({ deferred }) => deferred),
  es: () => import('./deferred/deferred-es.ts').then(({ deferred }) => deferred),
  fr: () => import('./deferred/deferred-fr.ts').then(({ deferred }) => deferred),
}

// Loads the texts of the service's messages, such as refusals, in a language; these texts are a separate bundle too.
const loadMessages: Readonly<Record<PanelLanguage, () => Promise<Texts>>> = {
  en: () => import('../../../src/messages/en.ts').then(({ en }) => en),
  de: () => import('../../../src/messages/de.ts').then(({ de }) => de),
  es: () => import('../../../src/messages/es.ts').then(({ es }) => es),
  fr: () => import('../../../src/messages/fr.ts').then(({ fr }) => fr),
}

const messages = new Map<string, Texts>()

const storageKey = 'daybook.language'

/** Whether the panel is available in this language. */
export function isLanguage(text: string): text is PanelLanguage {
  return text in languages
}

/**
 * Initialises i18next in the language stored on this device, else in the browser's first supported language, else in
 * English.
 */
export async function initI18n(): Promise<void> {
  const preferred = [localStorage.getItem(storageKey) ?? '', ...navigator.languages].map((tag) =>
    tag.slice(0, 2).toLowerCase(),
  )
  const language = preferred.find(isLanguage) ?? 'en'
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'words',
    resources: { [language]: { words: await loadLanguage(language) } },
    // i18next must not escape interpolated values, since React escapes text itself.
    interpolation: { escapeValue: false },
  })
  setDocumentLanguage(language)
}

/** Changes the language of the panel, and stores it on this device. */
export async function changeLanguage(language: PanelLanguage): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'words'))
    i18next.addResourceBundle(language, 'words', await loadLanguage(language))
  if (deferredNeeded) await addDeferred(language)
  localStorage.setItem(storageKey, language)
  await i18next.changeLanguage(language)
  setDocumentLanguage(language)
}

let deferredNeeded = false

/**
 * Loads the deferred texts in the language of the panel, and from then on also in each language that the user
 * selects.
 */
async function loadDeferredTexts(): Promise<void> {
  deferredNeeded = true
  if (isLanguage(i18next.language)) await addDeferred(i18next.language)
}

async function addDeferred(language: PanelLanguage): Promise<void> {
  if (i18next.getResource(language, 'words', 'jobs') === undefined)
    i18next.addResourceBundle(language, 'words', await loadRepeatedly(loadDeferred[language]), true)
}

/**
 * Returns a message of the service as a sentence in the language of the panel; the code of the message until the texts
 * have loaded.
 */
export function translateMessage(message: Message): string {
  const locale = i18next.language
  const texts = messages.get(locale)
  return texts ? formatMessage(message, { locale, texts }) : message.code
}

/**
 * Loads a language: returns the initial texts of the panel, and stores the texts of the service's messages in
 * `messages`.
 */
async function loadLanguage(language: PanelLanguage): Promise<InitialTexts> {
  const [words, texts] = await Promise.all([loadRepeatedly(load[language]), loadRepeatedly(loadMessages[language])])
  messages.set(language, texts)
  return words
}

function setDocumentLanguage(language: PanelLanguage): void {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

/** Wraps the loader of a module so that the deferred texts are loaded together with the module. */
export function withDeferredTexts<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [loaded] = await Promise.all([load(), loadDeferredTexts()])
    return loaded
  }
}
