/**
 * Seconds by which the consequences of a user's change, such as messages and refunds, are delayed. The panel offers undo
 * for twelve seconds, so a change that is undone has no consequences.
 */
export const undoSeconds = 15
