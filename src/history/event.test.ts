import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventKinds } from './event.ts'

test('the log tells of ten kinds of things', () =>
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
