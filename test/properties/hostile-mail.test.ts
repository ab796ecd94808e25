import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import Papa from 'papaparse'
import { cellText, csvLine } from '../../src/csv.ts'
import { calendarFile } from '../../src/mail/calendar-file.ts'
import { MailTransport } from '../../src/mail/smtp.ts'
import { compose } from '../../src/notifications/mail/compose.ts'
import { renderLiquid } from '../../src/notifications/mail/liquid.ts'
import { smsPresets } from '../../src/notifications/sms/presets.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed } from '../support/scale.ts'

const start = 1_800_000_000
const names = scaled(100)
const from = { name: 'The clinic', address: 'desk@clinic.example' }
const pieces = [
  ...['\r\n', '\n', '\r', '\u2028', '\u2029', '\0', '\t', ' ', '"', "'", '\\', ';', ',', ':', '<', '>', '&', '='],
  ...['+49', '+', '-1', '@sum', '1', '0', '１'],
  ...['Bcc: all@example.com', 'X-Evil: 1', '=?utf-8?q?a?=', '<script>canary()</script>', '"><img src=x onerror=x>'],
  ...[
    'END:VEVENT',
    'BEGIN:VALARM',
    'ATTENDEE:mailto:x@y.example',
    '{{ site.url }}',
    '{% raw %}',
    '=cmd|x',
    'Ä',
    '日本',
    '😀',
  ],
]
const hostile = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))

let mailServer: MailServer
const transport = new MailTransport()
before(async () => {
  mailServer = await MailServer.open()
})
after(async () => {
  transport.close()
  await mailServer.close()
})

async function mailOf(name: string) {
  const { subject, text, html } = await compose({
    ...{ kind: 'confirmed', locale: 'en', zone: 'Europe/Berlin', start, end: start + 1_800 },
    template: { subject: 'For {{ customer.name }}', body: 'Dear {{ customer.name }}' },
    customer: { name, email: 'jo@example.com', phone: name },
    ...{
      service: { name },
      provider: { name },
      site: { name, color: null, logoUrl: undefined, url: 'https://clinic.example' },
    },
    ...{ previousStart: undefined, unsubscribeUrl: undefined },
  })
  const content = await calendarFile({
    ...{ method: 'REQUEST', uid: 'r_1@clinic.example', sequence: 0, start, end: start + 1_800, now: start },
    ...{ summary: name, description: text, organizer: { ...from, name } },
    attendee: { name, address: 'jo@example.com' },
  })
  mailServer.received.length = 0
  const outcome = await transport.send(
    { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '', password: '' },
    {
      ...{ messageId: '<one@clinic.example>', thread: '<r_1@clinic.example>', replyTo: '', subject, text, html },
      ...{ from: { ...from, name }, to: { name, address: 'jo@example.com' } },
      calendar: { method: 'REQUEST', content },
    },
  )
  assert.equal(outcome.state, 'sent')
  const [mail] = mailServer.received
  assert.ok(mail)
  return mail
}

function propertiesIn(content: string | undefined): readonly string[] {
  const calendar = new ICAL.Component(ICAL.parse(content ?? ''))
  const [event, ...more] = calendar.getAllSubcomponents()
  assert.ok(event && more.length === 0 && event.getAllSubcomponents().length === 0)
  return event.getAllProperties().map(({ name }) => name)
}

test(`none of ${names} names adds a header, a recipient, a calendar property, markup or a formula`, async (t) => {
  const usual = await mailOf('Jo')
  const headers = [...usual.headers.keys()]
  const properties = propertiesIn(partOf(usual, 'text/calendar'))
  // `br` is left out, because a line break in a text becomes a `br` element in the message.
  const tags = (mail: typeof usual) =>
    new Set(
      partOf(mail, 'text/html')
        ?.match(/<(?!br>)[a-z/!]+/gi)
        ?.map((tag) => tag.toLowerCase()),
    )
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      const mail = await mailOf(name)
      assert.deepEqual([...mail.headers.keys()], headers)
      assert.deepEqual(mail.to, ['jo@example.com'])
      assert.deepEqual(propertiesIn(partOf(mail, 'text/calendar')), properties)
      assert.deepEqual(tags(mail), tags(usual))
      assert.doesNotMatch(partOf(mail, 'text/html') ?? '', /<script|<img/)
      const [cells, ...lines] = Papa.parse<string[]>(csvLine([name, name, 5]), {
        delimiter: ',',
        skipEmptyLines: true,
      }).data
      assert.deepEqual([lines, cells?.length, cellText(cells?.[0] ?? '')], [[], 3, cellText(name)])
      const plain = (text = '') => text.replaceAll("'", '')
      assert.equal(plain(cells?.[0]), plain(name))
      assert.ok((cells?.[0]?.length ?? 0) >= name.length, 'no apostrophe of the name is lost')
      for (const part of csvLine([name])
        .split(/[;\t\r\n]/)
        .slice(1))
        assert.doesNotMatch(part, /^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠]/u)
      // `+` is followed by digits and blanks alone, of which a spreadsheet computes nothing but a number.
      assert.doesNotMatch(cells?.[0] ?? '', /^(?!\+\d[\d ]*$)[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u)
      await assertGatewayInert(name)
    }),
    { numRuns: names, seed },
  )
  proved(t, 'W7', { names, injected: 0 })
})

/**
 * Fails if a customer's name changes the structure of the request body for one of the SMS gateways, or is not exactly
 * the text of its field there.
 */
async function assertGatewayInert(name: string): Promise<void> {
  const { twilio, vonage, whatsapp } = smsPresets
  const own = { to: '+1', to_digits: '1', sender: name, text: name, kind: name, locale: 'en', id: '1' }
  const variables = { ...own, customer: { name }, service: { name }, start: '' }
  const form = new URLSearchParams(await renderLiquid(twilio.body, variables))
  assert.deepEqual([[...form.keys()], form.get('Body')], [['To', 'From', 'Body'], name])
  const json = JSON.parse(await renderLiquid(vonage.body, variables))
  assert.deepEqual([Object.keys(json).length, json.text], [6, name])
  const { template } = JSON.parse(await renderLiquid(whatsapp.body, variables))
  assert.deepEqual(template.components[0].parameters[0], { type: 'text', text: name })
}
