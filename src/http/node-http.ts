/**
 * Node's HTTP server. It is not imported, since an `import` of `node:http` evaluates all of its exports, including the
 * client behind `fetch`, which the service does not use and which takes 5 MB of memory (row P19 of docs/benchmarks.md
 * limits the service's memory).
 */
export const { createServer: createHttpServer, STATUS_CODES } = process.getBuiltinModule('node:http')
