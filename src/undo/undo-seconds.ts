/**
 * Seconds by which what follows from a user's change leaves the service later, such as messages and refunds: the panel
 * offers undo for twelve seconds, and a change that was undone has no consequences.
 */
export const undoSeconds = 15
