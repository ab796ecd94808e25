/** The URL of the module with the table of operations, for the threads that load it. */
export const operationsModule: URL = new URL('../../operations.ts', import.meta.url)
