import assert from 'node:assert/strict'

/** Milliseconds that a page has for showing what is expected. */
const patience = 30_000

/** Reads a page until it shows the expected value, or a text that matches; fails with the value read last. A page draws what a click or a key changes after the call that performed it has returned. */
export async function becomes<T>(read: () => Promise<T>, expected: T | RegExp): Promise<void> {
  const end = performance.now() + patience
  for (;;) {
    try {
      const found = await read()
      if (expected instanceof RegExp) assert.match(String(found), expected)
      else assert.deepEqual(found, expected)
      return
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await new Promise(setImmediate)
  }
}
