/** The languages of the booking page, each with its own name. */
export const pageLanguages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const

export type PageLanguage = keyof typeof pageLanguages

/** A text in each language; empty where there is none. */
export type LocalTexts = Record<PageLanguage, string>

/** Returns the stored texts for a form. */
export function enteredTexts(stored: Readonly<Partial<Record<string, string>>>): LocalTexts {
  return { en: stored.en ?? '', de: stored.de ?? '', es: stored.es ?? '', fr: stored.fr ?? '' }
}

/** Returns the texts to store, without empty ones. */
export function storedTexts(entered: LocalTexts): Record<string, string> {
  return Object.fromEntries(Object.entries(entered).filter(([, text]) => text.trim() !== ''))
}
