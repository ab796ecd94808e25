/** The languages of the booking page by code, each with its name in the language itself. */
export const pageLanguages = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const

/** The code of a language of the booking page. */
export type BookingPageLanguage = keyof typeof pageLanguages

/** A text in each language of the booking page; an empty string where the language has no text. */
export type LocalisedTexts = Record<BookingPageLanguage, string>

/** Converts stored texts to form values, which have an empty string for each missing language. */
export function localisedTextsOf(stored: Readonly<Partial<Record<string, string>>>): LocalisedTexts {
  return { en: stored.en ?? '', de: stored.de ?? '', es: stored.es ?? '', fr: stored.fr ?? '' }
}

/** Converts form values to texts as they are stored, without blank texts. */
export function nonEmptyTexts(entered: LocalisedTexts): Record<string, string> {
  return Object.fromEntries(Object.entries(entered).filter(([, text]) => text.trim() !== ''))
}
