import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../contract/endpoint.ts'
import { message } from '../../messages/message.ts'
import { refusal } from '../../messages/refusal.ts'
import { readBody } from './body.ts'
import { noFaults, type RequestFaults } from './faults.ts'
import { parseRequestOptions, type RequestOptions } from './headers.ts'
import { compileQueryParser } from './query.ts'
import { compileValidator, type Report, type Validator } from './validate.ts'

/** A route of a contract with its compiled parsers. */
export interface Route<E extends Endpoint = Endpoint> {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly endpoint: E
  readonly readQuery: (query: string, faults: RequestFaults) => unknown
  readonly readFields: Validator | undefined
  /** The declared fields of the body; undefined where the contract allows any key. */
  readonly fields: ReadonlySet<string> | undefined
}

/** Compiles the parsers of a route; `key` is `METHOD /path/`. */
export function compileRoute<E extends Endpoint>(key: string, endpoint: E): Route<E> {
  const [method = '', path = ''] = key.split(' ')
  const body: { properties?: object; additionalProperties?: boolean } = endpoint.body ?? {}
  return {
    key,
    method,
    path,
    endpoint,
    readQuery: compileQueryParser(endpoint.query),
    readFields: endpoint.body ? compileValidator(endpoint.body) : undefined,
    fields: body.additionalProperties ? undefined : new Set(Object.keys(body.properties ?? {})),
  }
}

/** A validated and converted request. */
export interface ParsedRequest {
  readonly query: unknown
  readonly body: unknown
  /** The JSON body as the client sent it, before validation and conversion to `body`. */
  readonly sent: unknown
  readonly options: RequestOptions
  /** Names of fields that the client sent in the body and the contract does not declare. */
  readonly ignored: readonly string[]
}

const noOptions: RequestOptions = { dryRun: false, idempotencyKey: null }

/**
 * Parses query, headers and body. Throws one refusal with all validation errors; a body that `readBody` cannot parse, and
 * a query of a remove route that names no object, are refused on their own.
 */
export async function parseRequest(row: Route, request: IncomingMessage, queryText: string): Promise<ParsedRequest> {
  const faults = noFaults()
  const query = row.readQuery(queryText, faults)
  if (row.endpoint.namedInQuery && faults.any()) refuseNameless(request)
  const options = row.method === 'POST' ? parseRequestOptions(request.headers, faults) : noOptions
  if (row.endpoint.once) refuseOptions(options, faults)
  if (!row.readFields) {
    faults.refuse(row.method)
    return { query, body: undefined, sent: undefined, options, ignored: [] }
  }
  const sent = await readBody(request, row.endpoint.bodyLimit)
  const { known, ignored } = sortFields(row, sent)
  const body = row.readFields(known, '', faults)
  faults.refuse(row.method)
  return { query, body, sent, options, ignored }
}

/**
 * Refuses a request of a remove route whose query does not have exactly one id. The API specification defines no 400 for
 * these routes, so it is 404. The headers for safe writes are an addition; a malformed one is 400 on every route.
 */
function refuseNameless({ headers }: IncomingMessage): never {
  const faults = noFaults()
  parseRequestOptions(headers, faults)
  faults.refuse('POST')
  throw refusal('nothing_named')
}

function refuseOptions({ dryRun, idempotencyKey }: RequestOptions, report: Report): void {
  const fault = message('leave_out_single_use')
  if (dryRun) report.wrong('X-SVC-Dry-Run', fault)
  if (idempotencyKey !== null) report.wrong('Idempotency-Key', fault)
}

/**
 * Splits a body into its declared fields, with aliases replaced by the field names, and the names of undeclared fields.
 */
function sortFields({ fields, endpoint }: Route, sent: Readonly<Record<string, unknown>>) {
  if (!fields || Object.keys(sent).every((name) => fields.has(name))) return { known: sent, ignored: [] }
  const known: [string, unknown][] = []
  const ignored: string[] = []
  for (const [name, value] of Object.entries(sent)) {
    const alias = endpoint.aliases && Object.hasOwn(endpoint.aliases, name) ? endpoint.aliases[name] : undefined
    if (fields.has(name)) known.push([name, value])
    else if (alias !== undefined && !Object.hasOwn(sent, alias)) known.push([alias, value])
    else ignored.push(name)
  }
  return { known: Object.fromEntries(known), ignored }
}
