import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceOf, isAlive } from './session.ts'

const used = { lastSeenAt: 10_000, expiresAt: 50_000 }
for (const [what, session, now, alive] of [
  ['in use', used, 10_000, true],
  ['left for a second less than half an hour', used, 11_799, true],
  ['left for half an hour', used, 11_800, false],
  ['a second before its end', { ...used, lastSeenAt: 49_999 }, 49_999, true],
  ['at its end, however much it is used', { ...used, lastSeenAt: 49_999 }, 50_000, false],
] as const)
  test(`a session ${what} is ${alive ? 'active' : 'expired'}`, () => assert.equal(isAlive(session, now), alive))

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
for (const [userAgent, device] of [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/142.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} OPR/125.0.0.0`, 'Opera on macOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome}`, 'Chrome on Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome}`, 'Chrome on ChromeOS'],
  [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${safari}`, 'Safari on iPhone'],
  [`Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) ${safari}`, 'Safari on iPad'],
  ['Firefox/145.0', 'Firefox'],
  ['Dalvik/2.1.0 (Linux; U; Android 13)', 'Android'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
] as const)
  test(`“${userAgent}” is named ${device}`, () => assert.equal(deviceOf(userAgent), device))
