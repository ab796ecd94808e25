import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { contrast } from '../catalogue/site/appearance.ts'
import { byDayPart, monthAfter, monthInterval, nearestTimes, weeksOf } from './calendar.ts'
import { isFormSecret, isOwnFormToken, newFormSecret, ownFormToken } from './secrets.operations.ts'
import { isSlug, localText, slugOf, slugsOf } from './settings.ts'
import { jsonInHtml } from './views/layout.ts'
import { pageStyle } from './views/style.ts'
import { readVisit, visitUrl } from './visit.ts'
import { de } from './words/de.ts'
import { en } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { builtInLanguages, readLanguage } from './words/words.ts'

for (const [name, slug] of [
  ['Check-up', 'check-up'],
  ['  Erstgespräch (groß) ', 'erstgesprach-gross'],
  ['Æ 漢字', ''],
] as const)
  test(`the slug of ${name} is "${slug}"`, () => assert.equal(slugOf(name), slug))

test('equal and reserved names get numbered slugs', () =>
  assert.deepEqual(slugsOf(['Cut', 'cut', '漢', 'With', 'cut'], 'service'), [
    'cut',
    'cut-2',
    'service',
    'with-2',
    'cut-3',
  ]))

test('a numbered slug is no longer than a slug may be', () => {
  const slugs = slugsOf(['x'.repeat(80), 'x'.repeat(80), `${'y'.repeat(57)} z y`, `${'y'.repeat(57)} z y`], 'service')
  assert.equal(new Set(slugs).size, 4)
  for (const slug of slugs) assert.ok(isSlug(slug), slug)
})

test('text and buttons have a contrast of 4.5 in light and dark, whatever the colour of the site', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xff_ff_ff }), (color) => {
      const accent = `#${color.toString(16).padStart(6, '0')}`
      const style = pageStyle({ color: accent, radius: 8, scheme: 'auto', font: 'system' })
      const schemes = [...style.matchAll(/--card:(#\w{6}).*?--accent:(#\w{6});--on:(#\w{6})/g)]
      assert.equal(schemes.length, 2)
      for (const [, card = '', own = '', on = ''] of schemes) {
        assert.ok(contrast(own, card) >= 4.5, `${accent} on the page`)
        assert.ok(contrast(on, own) >= 4.5, `text on ${accent}`)
      }
    }),
  )
})

test('a month has whole weeks from Monday, also across the end of a year', () => {
  assert.deepEqual(
    weeksOf('2027-02').map((week) => week.map((day) => Number(day?.slice(8) ?? 0))),
    [
      [1, 2, 3, 4, 5, 6, 7],
      [8, 9, 10, 11, 12, 13, 14],
      [15, 16, 17, 18, 19, 20, 21],
      [22, 23, 24, 25, 26, 27, 28],
    ],
  )
  assert.deepEqual(
    [monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-05', 14)],
    ['2027-01', '2025-12', '2027-07'],
  )
})

test('a month in a zone is an hour shorter or longer when the clocks change', () => {
  const hours = (month: string) => {
    const { start, end } = monthInterval(month, 'Europe/Berlin')
    return (end - start) / 3_600 - 31 * 24
  }
  assert.deepEqual([hours('2026-03'), hours('2026-10'), hours('2026-12')], [-1, 1, 0])
})

const timeAt = (start: number) => ({
  start,
  end: start + 60,
  providerIds: [1],
  seatsLeft: null,
  price: null,
  currency: null,
})

test('times are grouped by the visitor’s part of day', () => {
  const at = Date.UTC(2026, 10, 24, 16) / 1000
  assert.deepEqual([...byDayPart([timeAt(at)], 'Europe/Berlin').keys()], ['evening'])
  assert.deepEqual([...byDayPart([timeAt(at)], 'America/New_York').keys()], ['morning'])
})

test('the alternatives are those closest in time, in order', () => {
  const starts = nearestTimes([0, 100, 200, 300, 400].map(timeAt), 250, 3).map(({ start }) => start)
  assert.deepEqual(starts, [100, 200, 300])
})

const defaults = {
  acceptLanguage: 'de-AT,en;q=0.5',
  referrer: '',
  siteLanguage: 'fr',
  siteZone: 'Europe/Paris',
  languages: builtInLanguages,
  maxSeats: 6,
}

test('a visit without parameters follows from browser and site, and links repeat none of it', () => {
  const visit = readVisit(new URLSearchParams(), defaults)
  assert.deepEqual([visit.locale, visit.tag, visit.zone, visit.seats], ['de', 'de-AT', 'Europe/Paris', 1])
  assert.equal(visitUrl('/book/', visit), '/book/')
})

for (const [siteLanguage, acceptLanguage] of [
  ['en_US', ''],
  ['fr', 'en_US'],
] as const)
  test(`a page for "${acceptLanguage}" of a site in ${siteLanguage} has English texts and American dates`, () => {
    const { locale, tag } = readVisit(new URLSearchParams(), { ...defaults, siteLanguage, acceptLanguage })
    assert.deepEqual([locale, tag], ['en', 'en-US'])
  })

test('a text in several languages is shown in that of the site when the one of the visitor is missing', () => {
  const text = { en: 'Welcome', de: 'Willkommen' }
  for (const language of ['de', 'de-AT', 'de_AT']) assert.equal(localText(text, 'fr', language), 'Willkommen')
})

test('links repeat choices and campaigns, never personal data', () => {
  const sent = new URLSearchParams('lang=es&zone=Asia/Tokyo&with=3&seats=2&utm_source=x&name=Ada&email=a@b.example')
  const visit = readVisit(sent, { ...defaults, referrer: 'partner.example' })
  const url = visitUrl('/book/', visit)
  assert.equal(url, '/book/?lang=es&zone=Asia%2FTokyo&with=3&seats=2&referrer=partner.example&utm_source=x')
})

test('malformed parameters are ignored', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('lang', 'zone', 'with', 'seats', 'month', 'date', 'referrer', 'utm_source', 'embed'),
        fc.string(),
      ),
      (sent) => {
        const visit = readVisit(new URLSearchParams(sent), defaults)
        assert.ok(visit.seats >= 1 && visit.seats <= 6)
        assert.ok(visit.month === undefined || /^\d{4}-\d\d$/.test(visit.month))
        assert.doesNotThrow(() => new Intl.DateTimeFormat(visit.tag, { timeZone: visit.zone }))
      },
    ),
  )
})

for (const sent of ['month=9999-12', 'date=9999-12-31', 'month=0000-01', 'date=1969-12-31'])
  test(`${sent} is ignored, because the months beside it have no page`, () => {
    const { month, date } = readVisit(new URLSearchParams(sent), defaults)
    assert.deepEqual([month, date], [undefined, undefined])
  })

test('the first and the last month of the calendar are shown', () =>
  assert.deepEqual(
    ['month=1970-01', 'date=9999-11-30'].map((sent) => readVisit(new URLSearchParams(sent), defaults).month),
    ['1970-01', '9999-11'],
  ))

const catalogue = { secret: 'one', previousSecret: { secret: 'zero', rotatedAt: 0 } } as unknown as Catalogue

test('only an unchanged form of the last 24 hours is accepted', () => {
  const form = newFormSecret(catalogue, 1_000)
  assert.equal(isFormSecret(catalogue, form, 1_000 + 86_399), true)
  assert.equal(isFormSecret(catalogue, form, 1_000 + 86_400), false)
  assert.equal(isFormSecret(catalogue, form, 700), true)
  assert.equal(isFormSecret(catalogue, form, 699), false)
  for (const changed of [form.replace(/^./, 'z'), `${form}x`, `${form}.x`, form.slice(0, -1), ''])
    assert.equal(isFormSecret(catalogue, changed, 1_000), false)
})

test('a form of the customer’s own page is accepted after the site secret was rotated, and for that page alone', () => {
  assert.equal(isOwnFormToken(catalogue, 'page', ownFormToken({ secret: 'one' }, 'page'), 86_400), true)
  assert.equal(isOwnFormToken(catalogue, 'page', ownFormToken({ secret: 'zero' }, 'page'), 86_399), true)
  assert.equal(isOwnFormToken(catalogue, 'page', ownFormToken({ secret: 'zero' }, 'page'), 86_400), false)
  assert.equal(isOwnFormToken(catalogue, 'other', ownFormToken({ secret: 'one' }, 'page'), 0), false)
  assert.equal(
    isOwnFormToken({ secret: 'one', previousSecret: null }, 'page', ownFormToken({ secret: 'zero' }, 'page'), 0),
    false,
  )
})

test('JSON within a page cannot end its element', () => {
  const value = { text: '</script><script>alert(1)</script>\u2028' }
  assert.doesNotMatch(jsonInHtml(value), /<|\u2028/)
  assert.deepEqual(JSON.parse(jsonInHtml(value)), value)
})

test('the words of all languages have the same placeholders', () => {
  const placeholders = (words: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(words).map(([key, text]) => [key, [...text.matchAll(/\{\w+\}/g)].map(String).sort()]),
    )
  for (const words of [de, es, fr]) assert.deepEqual(placeholders(words), placeholders(en))
})

test('a further language comes from a file, complete and with the placeholders of English', () => {
  const file = new URL('../../examples/languages/ar.json', import.meta.url)
  const arabic = readLanguage(JSON.parse(readFileSync(file, 'utf8')))
  assert.ok(typeof arabic !== 'string', String(arabic))
  assert.equal(arabic.direction, 'rtl')
  assert.deepEqual(Object.keys(arabic.words).sort(), Object.keys(en).sort())
})

for (const [content, error] of [
  [[], /JSON object/],
  [{ words: {} }, /"name"/],
  [{ name: 'X', direction: 'up', words: {} }, /"direction"/],
  [{ name: 'X' }, /"words"/],
  [{ name: 'X', words: { nonsense: 'y' } }, /"words\.nonsense" is not/],
  [{ name: 'X', words: { back: 3 } }, /"words\.back" must be a text/],
  [{ name: 'X', words: { withProvider: 'with' } }, /placeholders: \{name\}/],
] as const)
  test(`a language file is refused: ${error}`, () => assert.match(String(readLanguage(content)), error))

test('missing words of a file are those of English', () => {
  const language = readLanguage({ name: 'X', words: { back: 'Zzz' } })
  assert.ok(typeof language !== 'string')
  assert.deepEqual([language.words.back, language.words.name, language.direction], ['Zzz', en.name, 'ltr'])
})
