// The maximum number of reservations of which each is locked by its own key. PostgreSQL has room for some thousands of
// locks of all transactions together.
const maxKeys = 500

/**
 * Returns the keys to lock before reservations are read and changed: those of the reservations, and that of the
 * catalogue in shared mode, since the application of a site file, which writes reservations, locks the catalogue
 * exclusively. So does a change of very many reservations, such as all of one customer. The keys must be locked before
 * customers and providers, to prevent deadlocks.
 */
export function reservationLocks(ids: readonly string[]): string[] {
  if (ids.length > maxKeys) return ['catalogue!']
  return ids.length === 0 ? [] : ['catalogue', ...ids.map((id) => `reservation:${id}`)]
}
