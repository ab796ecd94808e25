/**
 * Returns the keys to lock before reservations are read and changed: those of the reservations, and that of the
 * catalogue in shared mode, since the application of a site file, which writes reservations, locks the catalogue
 * exclusively. They must be locked before customers and providers, to prevent deadlocks.
 */
export function reservationLocks(ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : ['catalogue', ...ids.map((id) => `reservation:${id}`)]
}
