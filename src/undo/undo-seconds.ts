/**
 * Seconds by which notifications, refunds and the closing of payment pages that follow from a user's change are
 * delayed. An undo before the end of the delay prevents them; the panel offers undo for twelve seconds after a change.
 */
export const undoSeconds = 15
