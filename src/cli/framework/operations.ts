/** The address of the module with the table of operations, for whoever loads it on a thread of its own. */
export const operationsModule: URL = new URL('../../operations.ts', import.meta.url)
