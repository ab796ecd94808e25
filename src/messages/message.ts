import type { en } from './en.ts'

/** A text with plural forms, chosen by its parameter `count`; `other` is the form where a language has no rule of its own. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>

/** A template, in which `{{name}}` stands for a parameter, and `{{name, kind}}` for one that is formatted by its kind. */
export type Text = string | Plural

/** The English texts define the codes and their parameters; other languages have the same codes. */
type English = typeof en
export type MessageCode = keyof English

/** The same codes in another language: a missing or an additional one does not compile. */
export type Translation<Texts> = { readonly [Code in keyof Texts]: Texts[Code] extends string ? string : Plural }

/** All messages in one language. */
export type Texts = Translation<English>

/** A message as plain data: it crosses threads and is stored and sent as JSON, and `formatMessage` makes a sentence of it. */
export interface Message {
  readonly code: MessageCode
  readonly parameters?: Readonly<Record<string, Parameter>>
}

export type Parameter = string | number | Message | readonly (string | Message)[]

/** What a placeholder takes: text as it stands, or what its kind formats. */
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

/** What `message` takes beside the code: nothing, where the English text has no placeholder. */
export type MessageArguments<Code extends MessageCode> = keyof ParametersOf<Code> extends never
  ? []
  : [ParametersOf<Code>]

/** A message with exactly the parameters of its English text. */
export function message<Code extends MessageCode>(code: Code, ...[parameters]: MessageArguments<Code>): Message {
  return parameters ? { code, parameters } : { code }
}
