import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userRoles } from '../src/access/users/user.ts'
import { type CatalogueLanguage, panelLanguages, panelTranslator } from './support/panel-translator.ts'
import { textsOf } from './support/texts.ts'

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
  ['de', /Nachfrage/],
  ['es', /[Ss]eguimiento/],
  ['fr', /\b[Ss]uivis?\b/],
]

for (const [language, words] of avoided)
  test(`texts in ${language} have one word for one thing`, () => {
    const wrong = textsOf(language).filter(([, text]) => words.test(text))
    assert.deepEqual(wrong, [])
  })
