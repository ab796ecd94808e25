import { type Content, type Html, html } from '../html.ts'
import { type DocumentPart, isPart, listOf, nameOf, partsOf, partText } from './openapi-document.ts'

/** One row of a table of fields or parameters in the API documentation. */
export interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: DocumentPart
  readonly description: string
  readonly addition: boolean
}

/** Renders a table of fields; its caption also names, for screen readers, the element in which the table scrolls. */
export function fieldTable(caption: string, fields: readonly Field[]): Html {
  const rows = fields.map(
    ({ name, required, schema, description, addition }) => html`<tr>
<th scope="row"><code>${name}</code>${required && html` <span class="required">required</span>`}${addition && added}</th>
<td>${typeText(schema)}</td>
<td>${description}${limits(schema)}</td>
</tr>`,
  )
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table><caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

/** The badge of operations, fields and parameters that Daybook adds to the API specification that it implements. */
export const added: Html = html` <span class="addition">addition</span>`

/** Returns the fields of an object schema, in the order of the schema. */
export function fieldsOf(schema: DocumentPart): Field[] {
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return partsOf(schema.properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field,
    description: partText(field.description),
    addition: field['x-addition'] === true,
  }))
}

/** Renders the type of a schema as text, with a link to each named schema. */
export function typeText(schema: DocumentPart): Content {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  const either = listOf(schema.anyOf)
  if (either.length > 0) return either.map((one, at) => [at > 0 && ' or ', typeText(one)])
  if (Array.isArray(schema.enum)) return schema.enum.map((one, at) => [at > 0 && ' | ', literal(one)])
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.type === 'array' && isPart(schema.items)) return ['list of ', typeText(schema.items)]
  return Array.isArray(schema.type) ? schema.type.join(' or ') : partText(schema.type) || 'anything'
}

function literal(value: unknown): Html {
  return html`<code>${JSON.stringify(value)}</code>`
}

function limits(schema: DocumentPart): Content {
  const { format, default: otherwise } = schema
  const said = [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(undefined, schema.maxItems, ' items'),
    range(undefined, schema.maxProperties, ' keys'),
    typeof format === 'string' && format !== 'int64' && format,
    otherwise !== undefined && `otherwise ${otherwise}`,
  ].filter((text) => text !== false)
  return said.length > 0 && html` <span class="limits">(${said.join(', ')})</span>`
}

/**
 * Returns the limits of a value as text, such as `1 to 255 characters`; false when there are none. A limit of
 * ±`Number.MAX_SAFE_INTEGER` counts as no limit.
 */
function range(least: unknown, most: unknown, unit: string): string | false {
  const from = bound(least)
  const to = bound(most)
  if (from !== undefined && to !== undefined) return `${from} to ${to}${unit}`
  if (to !== undefined) return `at most ${to}${unit}`
  return from !== undefined && `at least ${from}${unit}`
}

function bound(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) !== Number.MAX_SAFE_INTEGER ? value : undefined
}
