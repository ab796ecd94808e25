import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { PanelEndpoint } from '../src/contract/endpoint.ts'
import { panelApi } from '../src/contract/panel-api.ts'
import { expectation, type Schema } from '../src/http/request/schema.ts'
import { de } from '../src/messages/de.ts'
import { en } from '../src/messages/en.ts'
import { es } from '../src/messages/es.ts'
import { formatMessage } from '../src/messages/format.ts'
import { fr } from '../src/messages/fr.ts'
import { message, type Text } from '../src/messages/message.ts'

const english: Readonly<Record<string, Text>> = en

test('every message is used somewhere in the source', () => {
  const files = globSync('src/**/*.ts').filter((file) => !/\.test\.ts$|^src\/messages\/(?:en|de|es|fr)\b/.test(file))
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const unused = Object.keys(english).filter((code) => !source.includes(`'${code}'`))
  assert.deepEqual(unused, [])
})

test('the server loads the English texts alone', () => {
  const files = globSync('src/**/*.ts').filter((file) => !/\.test\.ts$|^src\/messages\//.test(file))
  const others = files.filter((file) => /messages\/(?:de|es|fr)\b/.test(readFileSync(file, 'utf8')))
  assert.deepEqual(others, [])
})

for (const [language, texts] of Object.entries({ en, de, es, fr }))
  test(`every message in ${language} has a text with the placeholders of the English one`, () => {
    for (const [code, text] of Object.entries<Text>(texts)) {
      const forms = formsOf(text)
      for (const form of forms) assert.notEqual(form.trim(), '', code)
      const all = new Set(formsOf(english[code] ?? '').flatMap(placeholdersOf))
      assert.deepEqual(new Set(forms.flatMap(placeholdersOf)), all, code)
    }
  })

const rows: readonly PanelEndpoint[] = Object.values(panelApi)

test('what a field of the panel’s API expects is German to the last word', () => {
  const schemas = rows.flatMap(({ body, query }) => [...partsOf(body), ...partsOf(query)])
  for (const schema of schemas) {
    const told = formatMessage(message('must_be', { expected: expectation(schema) }), { locale: 'de', texts: de })
    // The text contains the enumerated values of the API, which are not translated.
    const german = (schema.enum ?? []).reduce<string>((text, word) => text.replace(String(word), ''), told)
    assert.doesNotMatch(german, /\b(?:an?|of|or|from|such|text|number)\b/)
  }
})

function formsOf(text: Text): readonly string[] {
  return typeof text === 'string' ? [text] : Object.values(text)
}

function placeholdersOf(form: string): string[] {
  return form.match(/\{\{[^}]*\}\}/g) ?? []
}

/** Returns a schema and all schemas nested in it. */
function partsOf(schema: Schema | null | undefined): Schema[] {
  if (!schema) return []
  const { properties = {}, items, anyOf = [], additionalProperties: others } = schema
  const inside = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  return [schema, ...inside.flatMap(partsOf), ...(typeof others === 'object' ? partsOf(others) : [])]
}
