import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { de } from '../../src/messages/de.ts'
import { en } from '../../src/messages/en.ts'
import { es } from '../../src/messages/es.ts'
import { formatMessage } from '../../src/messages/format.ts'
import { fr } from '../../src/messages/fr.ts'
import type { Message, MessageCode, Parameter, Text } from '../../src/messages/message.ts'
import { scaled, seed } from '../support/scale.ts'

const english: Readonly<Record<MessageCode, Text>> = en
const codes = Object.keys(en).filter((code): code is MessageCode => code in en)
const plain = fc.constantFrom(...codes.filter((code) => parametersOf(code).length === 0)).map((code) => ({ code }))
const text = fc.string().filter((value) => !value.includes('{') && !value.includes('}'))

const values: Readonly<Record<string, fc.Arbitrary<Parameter>>> = {
  text: fc.oneof(text, fc.integer()),
  number: fc.integer(),
  message: plain,
  list: fc.array(fc.oneof(text, plain)),
}

const messages: fc.Arbitrary<Message> = fc.constantFrom(...codes).chain((code) => {
  const parameters = parametersOf(code).map(([name, kind]) => [name, values[kind] ?? fc.constant('')] as const)
  return fc.record({ code: fc.constant(code), parameters: fc.record(Object.fromEntries(parameters)) })
})

for (const [locale, texts] of Object.entries({ en, de, es, fr }))
  test(`a message in ${locale} is a sentence without placeholders, also after it was sent as JSON`, () => {
    fc.assert(
      fc.property(messages, (message) => {
        const sentence = formatMessage(message, { locale, texts })
        assert.doesNotMatch(sentence, /\{\{|\}\}|undefined|\[object/)
        assert.equal(formatMessage(JSON.parse(JSON.stringify(message)), { locale, texts }), sentence)
      }),
      { numRuns: scaled(2_000), seed },
    )
  })

function parametersOf(code: MessageCode): [name: string, kind: string][] {
  const template = english[code]
  const forms = typeof template === 'string' ? [template] : Object.values(template)
  const found = forms.flatMap((form) => [...form.matchAll(/\{\{(\w+)(?:, (\w+))?\}\}/g)])
  return found.map(([, name = '', kind = 'text']) => [name, kind])
}
