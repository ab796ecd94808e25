import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  mailChangeOf,
  mailValuesOf,
  offsetMinutes,
  offsetValuesOf,
  type ShownMailSettings,
  validateMail,
} from './mail-values.ts'

const settings: ShownMailSettings = {
  enabled: true,
  smtp: { host: 'smtp.example.com', port: 587, security: 'starttls', user: '' },
  from: { name: '', address: 'desk@example.com' },
  replyTo: '',
  staffAddress: '',
  reminders: [1_440, 90],
  followUp: null,
  quietHours: null,
  agendaAt: null,
  disabled: ['follow_up'],
  hasPassword: true,
  smtpGiven: false,
}
let keys = 0
const values = mailValuesOf(settings, () => String(keys++))

for (const [minutes, amount, unit] of [
  [5, 5, 'minutes'],
  [90, 90, 'minutes'],
  [120, 2, 'hours'],
  [1_440, 1, 'days'],
  [86_400, 60, 'days'],
] as const)
  test(`${minutes} minutes are entered as ${amount} ${unit}`, () => {
    assert.deepEqual(offsetValuesOf(minutes), { amount, unit })
    assert.equal(offsetMinutes({ amount, unit }), minutes)
  })

for (const amount of ['', 4, -1, 1.5, 86_401, 'x'])
  test(`an offset of "${amount}" minutes is refused`, () =>
    assert.equal(offsetMinutes({ amount, unit: 'minutes' }), undefined))

test('settings that were not changed send nothing, and a stored password stays', () => {
  assert.deepEqual(mailChangeOf(values, values), {})
  assert.deepEqual(mailChangeOf({ ...values, password: 'x' }, values), {})
})

test('only changed settings are sent', () => {
  const changed = { ...values, sent: [], reminders: [], followUp: { on: true, amount: 2, unit: 'hours' as const } }
  const { disabled, ...others } = mailChangeOf(changed, values)
  assert.deepEqual(others, { reminders: [], followUp: 120 })
  assert.equal(disabled?.length, 24)
})

test('a password is replaced, or removed', () => {
  assert.deepEqual(mailChangeOf({ ...values, passwordChoice: 'replace', password: ' p ' }, values), { password: ' p ' })
  assert.deepEqual(mailChangeOf({ ...values, passwordChoice: 'remove' }, values), { password: null })
})

test('sending needs a server and a sender; addresses, times and offsets have a form', () => {
  assert.deepEqual(validateMail(values, { smtpGiven: false }), [])
  const wrong = validateMail(
    {
      ...values,
      smtp: { ...values.smtp, host: ' ', port: '' },
      from: { name: '', address: '' },
      replyTo: 'nobody',
      reminders: [
        { key: 'a', amount: 60, unit: 'minutes' },
        { key: 'b', amount: 1, unit: 'hours' },
        { key: 'c', amount: 1, unit: 'minutes' },
      ],
      quietHours: { on: true, from: '9', until: '24:00' },
    },
    { smtpGiven: false },
  )
  assert.deepEqual(wrong, [
    ['smtp.host', 'hostMissing'],
    ['smtp.port', 'portWrong'],
    ['from.address', 'addressMissing'],
    ['replyTo', 'addressWrong'],
    ['reminders.1.amount', 'offsetTwice'],
    ['reminders.2.amount', 'offsetWrong'],
    ['quietHours.from', 'timeWrong'],
    ['quietHours.until', 'timeWrong'],
  ])
})
