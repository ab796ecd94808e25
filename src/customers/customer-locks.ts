/**
 * Returns the keys to lock before customers are read and changed: those of the customers, and `customers` in shared
 * mode, since the application of a site file, which may concern any number of customers, locks that key exclusively
 * instead of each customer. A booking locks its customers alone, because it has locked the catalogue, which the
 * application of a site file locks exclusively as well.
 */
export function customerLocks(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : ['customers', ...ids.map((id) => `customer:${id}`)]
}
