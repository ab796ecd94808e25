import type { Message, Parameter, Text, Texts } from './message.ts'

/** A language with its messages, and the locale by which numbers and plurals are formatted. */
export interface Language {
  readonly locale: string
  readonly texts: Texts
}

const placeholder = /\{\{(\w+)(?:, (\w+))?\}\}/g

/** Returns the sentence of a message in a language. */
export function formatMessage({ code, parameters = {} }: Message, language: Language): string {
  // A message that was stored by another version may have a code that is unknown here. The code itself is then shown.
  const text: Text | undefined = language.texts[code]
  if (text === undefined) return code
  return formOf(text, parameters.count, language.locale).replace(placeholder, (_, name: string, kind?: string) =>
    formatParameter(parameters[name] ?? '', kind, language),
  )
}

function formOf(text: Text, count: Parameter | undefined, locale: string): string {
  if (typeof text === 'string') return text
  return text[new Intl.PluralRules(locale).select(Number(count))] ?? text.other
}

function formatParameter(parameter: Parameter, kind: string | undefined, language: Language): string {
  if (typeof parameter === 'string') return parameter
  if (typeof parameter === 'number')
    return kind === 'number' ? parameter.toLocaleString(language.locale) : String(parameter)
  if (!isList(parameter)) return formatMessage(parameter, language)
  return parameter.map((item) => (typeof item === 'string' ? item : formatMessage(item, language))).join(', ')
}

function isList(parameter: Message | readonly (string | Message)[]): parameter is readonly (string | Message)[] {
  return Array.isArray(parameter)
}
