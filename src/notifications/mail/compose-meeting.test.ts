import assert from 'node:assert/strict'
import { test } from 'node:test'
import { locales } from '../templates/template.ts'
import { compose, type MessageSource } from './compose.ts'

const source = (change: Partial<MessageSource>): MessageSource => ({
  ...{ kind: 'confirmed', locale: 'en', template: undefined, start: 1_800_000_000, end: 1_800_003_600 },
  ...{ previousStart: undefined, zone: 'Europe/Berlin', unsubscribeUrl: undefined },
  customer: { name: 'Zoe', email: 'zoe@example.org', phone: '' },
  service: { name: 'Talk' },
  provider: { name: 'Ana' },
  site: { name: 'Clinic', color: '#1f5fbf', url: '' } as MessageSource['site'],
  ...change,
})
const meeting = 'https://meet.example/r-1?a=1&b=2'

for (const locale of locales)
  test(`a message in ${locale} names the address of an online appointment`, async () => {
    const { text } = await compose(source({ locale, meeting }))
    assert.ok(text.includes(`: ${meeting}\n`) || text.includes(`: ${meeting}`), text)
  })

test('a template can use the address, which is empty without one', async () => {
  const template = { subject: 'Hi', body: '[{{ meeting }}]' }
  assert.match((await compose(source({ template, meeting }))).text, /^\[https:\/\/meet\.example/)
  const none = (await compose(source({ template }))).text
  assert.ok(none.startsWith('[]') && !none.includes('Online at'), none)
})
