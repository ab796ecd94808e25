/** A JSON object within an OpenAPI document, such as a schema, a parameter or a response. */
export type DocumentPart = Readonly<Record<string, unknown>>

/** One operation of an OpenAPI document, with its path and method. */
export interface DocumentedOperation {
  readonly method: string
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly scope: string
  /** Whether the operation is not part of the API specification that Daybook implements, but an addition of Daybook. */
  readonly addition: boolean
  readonly parameters: readonly DocumentPart[]
  /** The schema of the operation's request body; undefined for an operation without a body. */
  readonly body: DocumentPart | undefined
  readonly responses: readonly { readonly status: string; readonly response: DocumentPart }[]
}

/**
 * Returns the operations of an OpenAPI document, grouped by the first segment of their path, in the document's order.
 */
export function operationGroups(document: DocumentPart): Map<string, DocumentedOperation[]> {
  const groups = new Map<string, DocumentedOperation[]>()
  for (const [path, methods] of partsOf(document.paths)) {
    const [, group = ''] = path.split('/')
    const operations = partsOf(methods).map(([method, operation]) => operationOf(method, path, operation))
    groups.set(group, [...(groups.get(group) ?? []), ...operations])
  }
  return groups
}

function operationOf(method: string, path: string, operation: DocumentPart): DocumentedOperation {
  return {
    method: method.toUpperCase(),
    path,
    id: partText(operation.operationId),
    summary: partText(operation.summary),
    scope: partText(operation['x-scope']),
    addition: operation['x-addition'] === true,
    parameters: listOf(operation.parameters),
    body: isPart(operation.requestBody) ? schemaIn(operation.requestBody) : undefined,
    responses: partsOf(operation.responses).map(([status, response]) => ({ status, response })),
  }
}

/** Returns the schema of a request body or a response; undefined when there is none. */
export function schemaIn(part: DocumentPart): DocumentPart | undefined {
  const [content] = partsOf(part.content)
  return content && isPart(content[1].schema) ? content[1].schema : undefined
}

/**
 * Returns the name of a schema that is given by reference, such as `Slot` for `#/components/schemas/Slot`; undefined
 * otherwise.
 */
export function nameOf(schema: DocumentPart): string | undefined {
  return typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
}

/**
 * Returns the name and value of each member of an object that is an object itself, in the order of `Object.entries`.
 */
export function partsOf(value: unknown): [name: string, part: DocumentPart][] {
  return isPart(value) ? Object.entries(value).flatMap(([name, part]) => (isPart(part) ? [[name, part]] : [])) : []
}

export function listOf(value: unknown): DocumentPart[] {
  return Array.isArray(value) ? value.filter(isPart) : []
}

export function partText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function isPart(value: unknown): value is DocumentPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
