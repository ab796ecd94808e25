/**
 * Waits for several functions that run queries in one transaction and do not depend on each other's results. Where they
 * run queries at the same time, PostgreSQL receives these in one round trip. Unlike `Promise.all`, rejects only when all
 * have ended, with the error of the first that failed, so that none of them runs a query after the transaction.
 */
export async function together<const Results extends readonly unknown[]>(
  running: Results,
): Promise<{ -readonly [At in keyof Results]: Awaited<Results[At]> }> {
  await Promise.allSettled(running)
  return Promise.all(running)
}
