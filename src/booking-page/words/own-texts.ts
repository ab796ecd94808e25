import type { Words } from './en.ts'

/** The names of the texts of the booking page that a site may replace. */
export const ownTextNames = [
  'bookTitle',
  'chooseService',
  'chooseProvider',
  'chooseTime',
  'yourDetails',
  'emailHint',
  'summary',
  'booked',
  'bookedText',
  'requested',
  'requestedText',
  'noTimesAhead',
  'notPossible',
  'closedText',
] as const satisfies readonly (keyof Words)[]

/** The name of a text of the booking page that a site may replace. */
export type OwnTextName = (typeof ownTextNames)[number]

/** A site's own texts for the booking page: for each name of a text, its versions by language. */
export type OwnTexts = Readonly<Partial<Record<OwnTextName, Readonly<Partial<Record<string, string>>>>>>

/** Returns the texts of a language, with the site's own texts in place of those that they replace. */
export function withOwnTexts(words: Words, texts: OwnTexts, locale: string): Words {
  const own = Object.entries(texts).flatMap(([name, text]) => {
    const value = text?.[locale]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return own.length === 0 ? words : { ...words, ...Object.fromEntries(own) }
}
