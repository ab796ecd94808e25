import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smsPresets } from './presets.ts'
import { outcomeOfFault, outcomeOfResponse, smsKinds } from './sms.ts'

const response = (status: number, body = '', retryAfter: number | null = null) => ({ status, body, retryAfter })

for (const [status, body, state, temporary] of [
  [200, '{}', 'sent', undefined],
  [202, '', 'sent', undefined],
  [302, '', 'failed', true],
  [400, '', 'failed', false],
  [401, '', 'failed', true],
  [422, '', 'failed', false],
  [429, '', 'failed', true],
  [500, '', 'failed', true],
  [400, '{ "code": 21610, "status": 400 }', 'bounced', false],
  [200, '{"code":21614}', 'bounced', false],
] as const)
  test(`a response ${status} ${body} is ${state}${temporary ? ', and the message is sent again' : ''}`, () => {
    const outcome = outcomeOfResponse(response(status, body), smsPresets.twilio)
    assert.equal(outcome.state, state)
    assert.equal('temporary' in outcome ? outcome.temporary : undefined, temporary)
  })

test('a text of spaces alone is in no response', () => {
  assert.equal(outcomeOfResponse(response(200, 'queued'), { refusals: [' '] }).state, 'sent')
})

test('the log has the response, and the job its status alone', () => {
  const outcome = outcomeOfResponse(response(400, 'unknown number\n+4930901820', 7), { refusals: [] })
  assert.deepEqual(outcome, {
    ...{ state: 'failed', why: 'HTTP 400: unknown number +4930901820', cause: 'HTTP 400' },
    ...{ temporary: false, retryAfter: 7 },
  })
})

test('a request without a response is repeated', () => {
  const outcome = outcomeOfFault('timeout', 'timeout')
  assert.ok('temporary' in outcome && outcome.temporary)
})

test('short messages exist for every kind of message to customers', () =>
  assert.deepEqual(smsKinds, [
    ...[
      'request_received',
      'confirmed',
      'declined',
      'payment_expired',
      'payment_returned',
      'card_returned',
      'fee_charged',
      'fee_requested',
      'rescheduled',
      'cancelled',
      'reminder',
      'follow_up',
    ],
  ]))
