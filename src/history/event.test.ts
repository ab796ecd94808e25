import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from './event.ts'

test('the log has eighteen kinds of objects', () =>
  assert.deepEqual([...eventKinds].sort(), [
    'booking_page',
    'calendar',
    'customer',
    'customer_note',
    'host_user',
    'notification_settings',
    'notification_template',
    'payment',
    'payment_settings',
    'provider',
    'reservation',
    'service',
    'site',
    'sms_consent',
    'time_off',
    'token',
    'user',
    'webhook',
  ]))
