/**
 * The URL of the module that exports the table of operations. Each thread that performs operations imports this module.
 */
export const operationsModule: URL = new URL('../../operations.ts', import.meta.url)
