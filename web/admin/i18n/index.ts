import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { formatMessage } from '../../../src/messages/format.ts'
import type { Message, Texts } from '../../../src/messages/message.ts'
import type { FirstWords, LaterWords, Words } from './messages.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words'
    resources: { words: Words }
  }
}

/** The languages of the panel, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const

export type PanelLanguage = keyof typeof languages

// Each language is a separate bundle, so that a browser loads only one. Dayjs names months and weekdays in calendar
// pop-ups.
const load: Readonly<Record<PanelLanguage, () => Promise<FirstWords>>> = {
  en: () => import('./en.ts').then(({ en }) => en),
  de: () => Promise.all([import('./de.ts'), import('dayjs/locale/de')]).then(([{ de }]) => de),
  es: () => Promise.all([import('./es.ts'), import('dayjs/locale/es')]).then(([{ es }]) => es),
  fr: () => Promise.all([import('./fr.ts'), import('dayjs/locale/fr')]).then(([{ fr }]) => fr),
}

// The texts of screens that no one opens first: settings, and the calendars of providers.
const loadLater: Readonly<Record<PanelLanguage, () => Promise<LaterWords>>> = {
  en: () => import('./later/later-en.ts').then(({ later }) => later),
  de: () => import('./later/later-de.ts').then(({ later }) => later),
  es: () => import('./later/later-es.ts').then(({ later }) => later),
  fr: () => import('./later/later-fr.ts').then(({ later }) => later),
}

// The messages of the service, also one bundle per language.
const loadMessages: Readonly<Record<PanelLanguage, () => Promise<Texts>>> = {
  en: () => import('../../../src/messages/en.ts').then(({ en }) => en),
  de: () => import('../../../src/messages/de.ts').then(({ de }) => de),
  es: () => import('../../../src/messages/es.ts').then(({ es }) => es),
  fr: () => import('../../../src/messages/fr.ts').then(({ fr }) => fr),
}

const messages = new Map<string, Texts>()

const kept = 'daybook.language'

/** Whether the panel has texts in this language. */
export function isLanguage(text: string): text is PanelLanguage {
  return text in languages
}

/**
 * Loads the texts in the language stored on this device, else in the browser's first supported language, else in
 * English.
 */
export async function startWords(): Promise<void> {
  const wished = [localStorage.getItem(kept) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase())
  const language = wished.find(isLanguage) ?? 'en'
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'words',
    resources: { [language]: { words: await loadLanguage(language) } },
    // React escapes text itself.
    interpolation: { escapeValue: false },
  })
  tellDocument(language)
}

/** Changes the language of the panel, and stores it on this device. */
export async function changeLanguage(language: PanelLanguage): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'words'))
    i18next.addResourceBundle(language, 'words', await loadLanguage(language))
  if (laterNeeded) await addLater(language)
  localStorage.setItem(kept, language)
  await i18next.changeLanguage(language)
  tellDocument(language)
}

let laterNeeded = false

/** Loads the texts of screens that no one opens first, in the language of the panel and in any chosen afterwards. */
async function loadLaterWords(): Promise<void> {
  laterNeeded = true
  if (isLanguage(i18next.language)) await addLater(i18next.language)
}

async function addLater(language: PanelLanguage): Promise<void> {
  if (i18next.getResource(language, 'words', 'jobs') === undefined)
    i18next.addResourceBundle(language, 'words', await loadLater[language](), true)
}

/** Returns the sentence of a message of the service, in the language of the panel. */
export function say(message: Message): string {
  const locale = i18next.language
  const texts = messages.get(locale)
  return texts ? formatMessage(message, { locale, texts }) : message.code
}

/** Loads a language: returns the texts of the panel, and stores the messages of the service. */
async function loadLanguage(language: PanelLanguage): Promise<FirstWords> {
  const [words, texts] = await Promise.all([load[language](), loadMessages[language]()])
  messages.set(language, texts)
  return words
}

function tellDocument(language: PanelLanguage): void {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

/** Makes the loader of a module load the texts that are not loaded with the panel besides. */
export function withLaterWords<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [loaded] = await Promise.all([load(), loadLaterWords()])
    return loaded
  }
}
