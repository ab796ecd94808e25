/**
 * Node's HTTP server. It is not imported, since an `import` of `node:http` evaluates all of its exports, including the
 * client behind `fetch`, which the service does not use and which takes 5 MB of memory (the limit is row P19 of
 * docs/benchmarks.md).
 */
export const { createServer: createHttpServer, STATUS_CODES } = process.getBuiltinModule('node:http')
