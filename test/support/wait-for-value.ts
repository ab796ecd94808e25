import assert from 'node:assert/strict'
import { pause } from './pause.ts'
import { hangLimit } from './scale.ts'

/**
 * Reads a page repeatedly until the value equals `expected` or matches it, and fails after `hangLimit` with the value
 * read last. A page updates only after the call that clicked or pressed a key has returned. Playwright's
 * `waitForFunction` is no substitute: the content security policy of our pages forbids `eval`, with which it evaluates
 * its expression again when the first evaluation was false.
 */
export async function waitForValue<T>(read: () => Promise<T>, expected: T | RegExp): Promise<void> {
  const end = performance.now() + hangLimit
  for (;;) {
    try {
      const found = await read()
      if (expected instanceof RegExp) assert.match(String(found), expected)
      else assert.deepEqual(found, expected)
      return
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await pause()
  }
}
