import assert from 'node:assert/strict'

/**
 * Repeats a request until it is refused; fails with the message `late` if a request is accepted that was sent `within`
 * milliseconds or more after `since`, a time of `performance.now()`. The time of sending counts, because a busy machine
 * may delay the response. Returns how many milliseconds after `since` the last accepted request was sent; 0 if there
 * was none.
 */
export async function untilRefused(
  isRefused: () => Promise<boolean>,
  { since, within, late }: { readonly since: number; readonly within: number; readonly late: string },
): Promise<number> {
  let last = 0
  for (;;) {
    const sentAfter = performance.now() - since
    if (await isRefused()) return last
    assert.ok(sentAfter < within, late)
    last = Math.max(last, sentAfter)
  }
}
