import { en } from './en.ts'
import { formatMessage } from './format.ts'
import type { Message } from './message.ts'

/** Returns the English sentence of a message, for the API, the command line and the log. */
export function sentence(message: Message): string {
  return formatMessage(message, { locale: 'en', texts: en })
}

/** Returns the English sentences of messages by field. */
export function sentences(details: Readonly<Record<string, Message>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(details).map(([field, message]) => [field, sentence(message)]))
}
