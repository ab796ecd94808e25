/**
 * Node's HTTP server. An `import` of `node:http` reads all of its exports, some of which load the client behind `fetch`, which
 * the service does not use: 5 of 140 MB at rest (row P19 of docs/benchmarks.md).
 */
export const { createServer: createHttpServer, STATUS_CODES } = process.getBuiltinModule('node:http')
