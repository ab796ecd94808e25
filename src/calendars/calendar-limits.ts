/**
 * The maximum size in bytes of a calendar file and of one response of a calendar system, and the maximum number of
 * characters that are read from responses in one connection. The message `calendar_fault_too_large` states it.
 */
export const maxCalendarBytes = 50_000_000

/** The maximum number of events of one calendar; in a calendar file, changed instances and time zones count as well. */
export const maxCalendarEvents = 50_000
