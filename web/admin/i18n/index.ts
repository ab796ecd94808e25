import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { Words } from './messages.ts'
import type { Said } from './said/said.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'words'
    resources: { words: Words }
  }
}

/** The languages there are, each by its own name. */
export const languages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const

export type Language = keyof typeof languages

// Each in a file of its own, so that a browser loads one. Dayjs names months and weekdays in the pop-up calendar.
const load: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => import('./en.ts').then(({ en }) => en),
  de: () => Promise.all([import('./de.ts'), import('dayjs/locale/de')]).then(([{ de }]) => de),
  es: () => Promise.all([import('./es.ts'), import('dayjs/locale/es')]).then(([{ es }]) => es),
  fr: () => Promise.all([import('./fr.ts'), import('dayjs/locale/fr')]).then(([{ fr }]) => fr),
}

// What the service says is English as it comes; the rest is loaded where it is needed.
const loadSaid: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Said>>> = {
  de: () => import('./said/de.ts').then(({ de }) => de),
  es: () => import('./said/es.ts').then(({ es }) => es),
  fr: () => import('./said/fr.ts').then(({ fr }) => fr),
}

const interpreters = new Map<string, (said: string) => string>()

const kept = 'daybook.language'

/** Whether there is a catalogue for this language. */
export function isLanguage(text: string): text is Language {
  return text in languages
}

/** Starts with the language chosen on this device, else the first of the browser's that there is, else English. */
export async function startWords(): Promise<void> {
  const wished = [localStorage.getItem(kept) ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase())
  const language = wished.find(isLanguage) ?? 'en'
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    defaultNS: 'words',
    resources: { [language]: { words: await load[language]() } },
    // React escapes.
    interpolation: { escapeValue: false },
    // What the service says comes after the words; what shows it is then drawn anew.
    react: { bindI18nStore: 'added' },
  })
  tellDocument(language)
  void hearService(language)
}

/** Changes the language of the panel, and keeps it on this device. */
export async function changeLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'words'))
    i18next.addResourceBundle(language, 'words', await load[language]())
  localStorage.setItem(kept, language)
  await i18next.changeLanguage(language)
  tellDocument(language)
  void hearService(language)
}

/** What the service says, in the language of the panel; as it came where that is unknown or not loaded yet. */
export function inLanguage(said: string): string {
  return interpreters.get(i18next.language)?.(said) ?? said
}

async function hearService(language: Language): Promise<void> {
  if (language === 'en' || interpreters.has(language)) return
  const [catalogue, { interpreter }] = await Promise.all([loadSaid[language](), import('./said/interpreter.ts')])
  interpreters.set(language, interpreter(catalogue, language))
  // Has everything that shows words drawn anew; the words themselves are not looked up there.
  i18next.addResourceBundle(language, 'said', {})
}

function tellDocument(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}
