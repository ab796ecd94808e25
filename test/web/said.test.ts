import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PanelEndpoint } from '../../src/contract/endpoint.ts'
import { panelApi } from '../../src/contract/panel-api.ts'
import { expectation, type Schema } from '../../src/http/request/schema.ts'
import { de } from '../../web/admin/i18n/said/de.ts'
import { es } from '../../web/admin/i18n/said/es.ts'
import { fr } from '../../web/admin/i18n/said/fr.ts'
import { interpreter } from '../../web/admin/i18n/said/interpreter.ts'
import { saidIn, shapeOf, textsOfSource } from '../support/said.ts'

const languages = { de, es, fr }
const rows: readonly PanelEndpoint[] = Object.values(panelApi)
const inGerman = interpreter(de, 'de')

describe('what the service says', () => {
  test('is in the catalogue, each sentence of it, and the catalogue has nothing else', () => {
    const { said, all } = textsOfSource()
    const known = new Set(Object.keys(de).map(shapeOf))
    assert.equal(known.size, Object.keys(de).length, 'Two templates differ by the names of their values alone.')
    const unknown = said.filter(({ shape }) => !known.has(shape)).map(({ shape, at }) => `${at} ${shape}`)
    assert.deepEqual(unknown, [], 'The panel would say this in English: add it to web/admin/i18n/said.')
    const silent = [...known].filter((shape) => !all.has(shape))
    assert.deepEqual(silent, [], 'Nothing says this any more.')
  })

  for (const [name, catalogue] of Object.entries(languages))
    test(`has the same values in ${name} as in English, and is nowhere empty`, () => {
      for (const [english, text] of Object.entries(catalogue)) {
        assert.notEqual(text.trim(), '', english)
        assert.deepEqual(placesOf(text), placesOf(english), english)
      }
    })

  test('of each field of the panel’s own API is German to the last word', () => {
    const schemas = rows.flatMap(({ body, query }) => [...partsOf(body), ...partsOf(query)])
    const told = new Map(schemas.map((schema) => [`Must be ${expectation(schema)}.`, schema.enum ?? []]))
    assert.ok(told.size > 30, `${told.size}`)
    for (const [english, words] of told) {
      // Words of the API stand as they are.
      const german = words.reduce<string>((text, word) => text.replace(String(word), ''), inGerman(english))
      assert.doesNotMatch(german, /\b(?:an?|of|or|from|such|text|number)\b/, english)
    }
  })
})

for (const [english, german] of [
  ['The service is offered.', 'Die Leistung wird angeboten.'],
  [
    'It starts too soon: the earliest start is 2026-10-05 09:00 (Europe/Berlin). Choose a later one.',
    'Der Beginn ist zu früh: Frühestens möglich ist 2026-10-05 09:00 (Europe/Berlin). Wählen Sie einen späteren.',
  ],
  ['Must be a list of at most 1,000.', 'Muss eine Liste von höchstens 1.000 sein.'],
  ['Must be a whole number from 1 to 10,080, or null.', 'Muss eine ganze Zahl von 1 bis 10.080 oder leer sein.'],
  ['Missing: send a text of 1 to 200 characters.', 'Fehlt; gebraucht wird ein Text von 1 bis 200 Zeichen.'],
  ['The file nests deeper than 32 levels.', 'Die Datei ist tiefer als 32 Ebenen verschachtelt.'],
  [
    '99 MB free; the database takes 1 MB. Make room soon.',
    '99 MB frei; die Datenbank belegt 1 MB. Schaffen Sie bald Platz.',
  ],
  [
    'Soon to end: Shop on 2026-10-05, Old on 2026-10-06 and 2 more. Make new ones with "daybook token create".',
    'Laufen bald ab: Shop am 2026-10-05, Old am 2026-10-06 und 2 weitere. Erstellen Sie neue mit „daybook token create“.',
  ],
  [
    'Provider 1 was listed and is still free; the rule would now pick provider 2. Provider 2 was drawn by lot.',
    'Anbieter 1 stand in der Liste und ist noch frei; die Regel würde jetzt Anbieter 2 wählen. Anbieter 2 wurde ausgelost.',
  ],
  ['There is a user with the address a list already.', 'Mit der Adresse a list gibt es schon jemanden.'],
  ['Something new on Monday and 2 more', 'Something new on Monday and 2 more'],
  ['A sentence that nobody knows.', 'A sentence that nobody knows.'],
] as const)
  test(`“${english}” is “${german}” in German`, () => assert.equal(inGerman(english), german))

for (const [source, shapes] of [
  ["throw new Refusal('slot_full', 'All is taken.')", ['All is taken.']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
  ['const say = (n: number): string => `Fits ${n} of them; choose one.`', ['Fits {{}} of them; choose one.']],
  ["const table = { first: ['x', { text: \"The code's wrong.\" }] } as const", ["The code's wrong."]],
  ["throw new Error('This is logged only.')", []],
  ["// 'A remark is none.'\nimport x from './Not this one.ts'", []],
] as const)
  test(`in ${source} it is ${shapes.length === 0 ? 'nothing' : shapes.join()}`, () =>
    assert.deepEqual(saidIn(source), shapes))

function placesOf(template: string): string[] {
  return [...new Set(template.match(/\{\{[#=]?\w+\}\}/g))].sort()
}

/** A schema with all that are in it. */
function partsOf(schema: Schema | null | undefined): Schema[] {
  if (!schema) return []
  const { properties = {}, items, anyOf = [], additionalProperties: others } = schema
  const inside = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  return [schema, ...inside.flatMap(partsOf), ...(typeof others === 'object' ? partsOf(others) : [])]
}
