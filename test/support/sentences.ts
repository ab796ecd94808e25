import { en } from '../../src/messages/en.ts'
import type { Message } from '../../src/messages/message.ts'
import { sentence } from '../../src/messages/sentence.ts'

/** Returns a copy of plain data in which each message (a code with parameters) is replaced by its English sentence. */
export function withSentences(value: unknown): unknown {
  if (isMessage(value)) return sentence(value)
  if (Array.isArray(value)) return value.map(withSentences)
  if (typeof value !== 'object' || value === null || value instanceof Map) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withSentences(part)]))
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null || !('code' in value)) return false
  const others = Object.keys(value).filter((key) => key !== 'code' && key !== 'parameters')
  return others.length === 0 && Object.hasOwn(en, String(value.code))
}
