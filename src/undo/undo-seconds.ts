/**
 * Seconds by which notifications and refunds that follow from a user's change are delayed. The panel offers undo for twelve
 * seconds after a change, and an undo within that time prevents them.
 */
export const undoSeconds = 15
