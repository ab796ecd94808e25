import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { feedText } from './feed-text.ts'

const event = { id: 'r_1', start: 1_791_180_000, end: 1_791_183_600, isPending: false, version: 1, updatedAt: 0 }

test('nothing that people enter ends a line, and every line has at most 75 octets', () => {
  const names = [
    'Jo\r\nATTENDEE:mailto:evil@x.example',
    'a;b,c\\d',
    'é'.repeat(200),
    '\u2028END:VEVENT',
    '😀'.repeat(60),
    '\0\x07bell',
  ]
  for (const customer of names) {
    const feed = { providerId: 1, serviceId: null, names: true }
    const parts = feedText({
      feed,
      name: customer,
      host: 'x.example',
      events: [{ ...event, service: customer, provider: customer, meeting: '', customer }],
    })
    const text = [...parts].join('')
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
    const calendar = new ICAL.Component(ICAL.parse(text))
    const [found, ...more] = calendar.getAllSubcomponents('vevent')
    assert.ok(found && more.length === 0)
    assert.deepEqual(
      found.getAllProperties().map(({ name }) => name),
      ['uid', 'dtstamp', 'sequence', 'dtstart', 'dtend', 'status', 'summary'],
    )
    const shown = String(found.getFirstPropertyValue('summary'))
    const expected = customer.replace(/\r\n|\u2028/g, '\n').replace('\0\x07', ' ')
    assert.equal(shown, `${expected} · ${expected}`)
  }
})
