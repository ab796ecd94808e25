import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from './event.ts'

test('the log has ten kinds of objects', () =>
  assert.deepEqual([...eventKinds].sort(), [
    'customer',
    'customer_note',
    'host_user',
    'provider',
    'reservation',
    'service',
    'site',
    'time_off',
    'token',
    'user',
  ]))
