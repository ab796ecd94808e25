import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userRoles } from '../src/access/users/user.ts'
import { type CatalogueLanguage, panelLanguages, panelTranslator } from './support/panel-translator.ts'
import { templates, textsOf } from './support/texts.ts'

for (const language of panelLanguages)
  test(`a path of menu entries in ${language} consists of entries that the panel has`, () => {
    const label = panelTranslator(language)
    const inSettings = ['payments', 'system', 'jobs'].map((name) => `places.${name}`)
    const paths = [
      ...inSettings.map((name) => `${label('places.settings')} → ${label(name)}`),
      `${label('places.providers')} → ${label('calendars.title')}`,
    ]
    const wrong = textsOf(language).filter(
      ([, text]) => text.split('→').length - 1 > paths.filter((path) => text.includes(path)).length,
    )
    assert.deepEqual(wrong, [])
  })

for (const language of panelLanguages)
  test(`a refusal in ${language} names the roles as the panel does`, () => {
    const label = panelTranslator(language)
    const texts = new Map(textsOf(language))
    for (const role of userRoles) assert.equal(texts.get(`messages.role_${role}`), label(`roles.${role}`))
  })

// Words for which the texts have another one, so that each thing has one name.
const avoided: readonly (readonly [CatalogueLanguage, RegExp])[] = [
  ['de', /Nachfrage|Reservierung|im Panel|Kundin|Kundschaft/],
  ['es', /[Ss]eguimiento|\b[Vv]ales?\b|[Ff]usion/],
  ['fr', /\b[Ss]uivis?\b|panneau|[Cc]ourriel|minuterie|approbation|codes de récupération/],
]

for (const [language, words] of avoided)
  test(`texts in ${language} have one word for one thing`, () => {
    const wrong = textsOf(language).filter(([, text]) => words.test(text))
    assert.deepEqual(wrong, [])
  })

// A German sentence continues the greeting and begins in lower case, unless its first word is a name or polite form.
for (const language of ['en', 'es', 'fr'] as const)
  test(`the first sentence after the greeting of a mail in ${language} begins with a capital letter`, () => {
    const bodies = Object.values(templates[language]).map(({ body }) => body)
    const greeted = bodies.filter((body) => /^[^\n]*\{\{ customer\.name \}\}[,:]?\n/.test(body))
    assert.ok(greeted.length > 10)
    for (const body of greeted) assert.match(body, /^[^\n]*\n\n\p{Lu}/u)
  })

for (const language of panelLanguages)
  test(`a percentage in ${language} has the space before its sign that the language has`, () => {
    const space = new Intl.NumberFormat(language, { style: 'percent' }).format(0.5) === '50%' ? '' : '\u00a0'
    const wrong = textsOf(language).filter(([, text]) =>
      [...text.replaceAll(/\{%.*?%\}/g, '').matchAll(/(\s*)%/g)].some(([, before]) => before !== space),
    )
    assert.deepEqual(wrong, [])
  })

test('a line of a French text breaks neither at a sign that has a space before it nor inside quotation marks or a number', () => {
  const breaks = / [?!:;»](?=[\s».,)?]|$)|« |(?<=\d) \d{3}(?!\d)/
  const wrong = textsOf('fr').filter(([, text]) => breaks.test(text.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, '')))
  assert.deepEqual(wrong, [])
})
