import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInLanguages, pageLocale } from '../booking-page/words/words.ts'
import { localeOf } from '../notifications/templates/template.ts'
import { wordsOfReceipt } from '../payments/receipts/receipt-words.ts'
import { primaryLanguage, regionalTag } from './language-tag.ts'

for (const [tag, language, regional] of [
  ['de', 'de', 'de'],
  ['de-AT', 'de', 'de-AT'],
  ['de_AT', 'de', 'de-AT'],
  ['EN_us', 'en', 'en-US'],
  ['es_419', 'es', 'es-419'],
  ['fr_Latn_CA', 'fr', 'fr-CA'],
  ['de-1996-1996', 'de', 'de'],
  ['en-abc', 'en', 'en'],
  ['', '', ''],
] as const)
  test(`the language of "${tag}" is "${language}", with its region "${regional}"`, () =>
    assert.deepEqual([primaryLanguage(tag), regionalTag(tag)], [language, regional]))

for (const tag of ['de-AT', 'de_AT', 'DE_at'])
  test(`messages, booking page and receipts of ${tag} are in German`, () => {
    const { locale, words } = wordsOfReceipt(tag)
    assert.deepEqual([localeOf(tag), pageLocale(tag, builtInLanguages)], ['de', 'de'])
    assert.deepEqual([locale, words.receipt], ['de-AT', 'Zahlungsbeleg'])
  })

for (const [tag, locale] of [
  ['en_US', 'en-US'],
  ['en-GB-oed-oed', 'en-GB'],
  ['pt_BR', 'en'],
  ['', 'en'],
] as const)
  test(`amounts and dates on receipts of "${tag}" are written as in ${locale}`, () => {
    assert.equal(wordsOfReceipt(tag).locale, locale)
    assert.doesNotThrow(() => new Intl.DateTimeFormat(wordsOfReceipt(tag).locale))
  })
