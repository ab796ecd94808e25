/**
 * What is used of Node's HTTP server. An `import` from the module itself reads all its names, and one of them loads a
 * whole HTTP client: 17 ms of every start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
