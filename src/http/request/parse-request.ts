import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Refusal } from '../../messages/refusal.ts'
import { readBody } from './body.ts'
import { type Faults, noFaults } from './faults.ts'
import { type Asked, askedIn } from './headers.ts'
import { queryReader } from './query.ts'
import { type Reader, type Report, readerOf } from './validate.ts'

/** A row of the contract made ready: its readers are made once. */
export interface Row<E extends Endpoint = Endpoint> {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly endpoint: E
  readonly readQuery: (query: string, faults: Faults) => unknown
  readonly readFields: Reader | undefined
  /** Undefined where other keys are the integration's own. */
  readonly fields: ReadonlySet<string> | undefined
}

export function readyRow<E extends Endpoint>(key: string, endpoint: E): Row<E> {
  const [method = '', path = ''] = key.split(' ')
  const body: { properties?: object; additionalProperties?: boolean } = endpoint.body ?? {}
  return {
    key,
    method,
    path,
    endpoint,
    readQuery: queryReader(endpoint.query),
    readFields: endpoint.body ? readerOf(endpoint.body) : undefined,
    fields: body.additionalProperties ? undefined : new Set(Object.keys(body.properties ?? {})),
  }
}

/** What one request says, checked as its row wants it. */
export interface Said {
  readonly query: unknown
  readonly body: unknown
  /** The body as it came, before it was read. */
  readonly sent: unknown
  readonly asked: Asked
  /** Fields of the body that the contract does not name. */
  readonly ignored: readonly string[]
}

const nothingAsked: Asked = { dryRun: false, idempotencyKey: null }

/** Reads query, headers and body; refuses with all that is wrong at once. */
export async function readRequest(row: Row, request: IncomingMessage, queryText: string): Promise<Said> {
  const faults = noFaults()
  const query = row.readQuery(queryText, faults)
  const asked = row.method === 'POST' ? askedIn(request.headers, faults) : nothingAsked
  if (row.endpoint.once) refuseRehearsal(asked, faults)
  if (!row.readFields) {
    if (row.endpoint.namedInQuery && faults.onlyMissing()) {
      throw new Refusal('nothing_named', 'Say what to remove: add ?id= with its identifier.')
    }
    faults.refuse(row.method)
    return { query, body: undefined, sent: undefined, asked, ignored: [] }
  }
  const sent = await readBody(request, row.endpoint.bodyLimit)
  const { known, ignored } = sortFields(row, sent)
  const body = row.readFields(known, '', faults)
  faults.refuse(row.method)
  return { query, body, sent, asked, ignored }
}

function refuseRehearsal({ dryRun, idempotencyKey }: Asked, report: Report): void {
  const sentence = 'Leave it out: what this answers exists once, and is neither tried nor kept.'
  if (dryRun) report.wrong('X-SVC-Dry-Run', sentence)
  if (idempotencyKey !== null) report.wrong('Idempotency-Key', sentence)
}

/** The fields that the contract names, aliases under their proper names; and the names of the rest. */
function sortFields({ fields, endpoint }: Row, sent: Readonly<Record<string, unknown>>) {
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
