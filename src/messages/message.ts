import type { en } from './en.ts'

/**
 * A text with plural forms, selected by the parameter `count`; `other` is used when the text has no form for the
 * number.
 */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>

/**
 * A template, or its plural forms. `{{name}}` inserts text or a number as it is; `{{name, kind}}` formats a value of
 * the kind `number`, `list` or `message`.
 */
export type Text = string | Plural

/** The English texts define the codes and their parameters; other languages have the same codes. */
type English = typeof en
export type MessageCode = keyof English

/** The same codes in another language; a missing or additional code is a compile error. */
export type Translation<Texts> = { readonly [Code in keyof Texts]: Texts[Code] extends string ? string : Plural }

/** All messages in one language. */
export type Texts = Translation<English>

/**
 * A message as plain data, which can be sent between threads and stored as JSON; `formatMessage` returns its sentence.
 */
export interface Message {
  readonly code: MessageCode
  readonly parameters?: Readonly<Record<string, Parameter>>
}

export type Parameter = string | number | Message | readonly (string | Message)[]

/** The type of the value of a placeholder `{{name, kind}}` in a text. */
type ValueOf<Kind> = Kind extends 'number'
  ? number
  : Kind extends 'list'
    ? readonly (string | Message)[]
    : Kind extends 'message'
      ? Message
      : never

type PlaceholdersOf<Template> = Template extends `${string}{{${infer Placeholder}}}${infer Rest}`
  ? Placeholder | PlaceholdersOf<Rest>
  : never

type TemplateOf<Code extends MessageCode> = English[Code] extends { readonly other: infer Other }
  ? Other
  : English[Code]

type ParametersOf<Code extends MessageCode> = {
  readonly [P in PlaceholdersOf<TemplateOf<Code>> as P extends `${infer Name}, ${string}`
    ? Name
    : P]: P extends `${string}, ${infer Kind}` ? ValueOf<Kind> : string | number
}

/** The codes of messages without parameters. */
export type PlainMessageCode = {
  [Code in MessageCode]: keyof ParametersOf<Code> extends never ? Code : never
}[MessageCode]

/** The parameters of `message` after the code; none when the English text has no placeholder. */
export type MessageArguments<Code extends MessageCode> = keyof ParametersOf<Code> extends never
  ? []
  : [ParametersOf<Code>]

/** Returns a message with exactly the parameters of its English text. */
export function message<Code extends MessageCode>(code: Code, ...[parameters]: MessageArguments<Code>): Message {
  return parameters ? { code, parameters } : { code }
}
