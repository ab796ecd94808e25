import { type Content, type Html, html } from '../html.ts'
import { type DocumentedOperation, type DocumentPart, isPart, listOf, partsOf, partText } from './openapi-document.ts'

/** Renders the form with which a reader tries one operation; the page's script sends the request. */
export function tryForm(operation: DocumentedOperation, root: string): Html {
  const { id, method, path, parameters, body } = operation
  return html`<details class="try"><summary>Try it<span class="hidden">: ${method} ${path}</span></summary>
<form data-method="${method}" data-path="${root}${path}" aria-label="Try ${method} ${path}">
${parameters.map((parameter) => parameterInput(id, parameter))}
${body && bodyInput(id, body)}
<p><button type="submit">Send</button></p>
<div class="answer" role="status"></div>
</form></details>`
}

function parameterInput(id: string, parameter: DocumentPart): Html {
  const name = partText(parameter.name)
  const field = `${id}-${name}`
  const schema = isPart(parameter.schema) ? parameter.schema : {}
  const place = parameter.in === 'header' ? 'header' : 'query'
  const choices = Array.isArray(schema.enum)
    ? schema.enum.map(String)
    : schema.type === 'boolean'
      ? ['true', 'false']
      : []
  const attributes = html`id="${field}" name="${name}" data-in="${place}" aria-describedby="${field}-hint"`
  const input =
    choices.length > 0
      ? html`<select ${attributes}>${['', ...choices].map((choice) => option(choice, chosen(name)))}</select>`
      : html`<input ${attributes} autocomplete="off" spellcheck="false"${parameter.required === true && html` required`}>`
  return html`<p class="field"><label for="${field}"><code>${name}</code>${parameter.required === true && ' (required)'}</label>
${input}<span class="hint" id="${field}-hint">${partText(parameter.description) || partText(schema.description)}</span></p>`
}

// Writes are sent as dry runs (validated, but not stored) by default, so that trying an operation changes no data.
function chosen(name: string): string {
  return name === 'X-SVC-Dry-Run' ? '1' : ''
}

function option(value: string, selected: string): Content {
  return html`<option value="${value}"${value === selected && html` selected`}>${value || '—'}</option>`
}

function bodyInput(id: string, schema: DocumentPart): Html {
  const sample = JSON.stringify(sampleOf(schema), null, 2)
  return html`<p class="field"><label for="${id}-body">Body (JSON)</label>
<textarea id="${id}-body" rows="${sample.split('\n').length + 1}" spellcheck="false">${sample}</textarea></p>`
}

/**
 * Returns an example of a schema's value: that of the first alternative, an object's required fields, the first value
 * of an enum, or else an empty value, zero or false.
 */
function sampleOf(schema: DocumentPart): unknown {
  const either = listOf(schema.anyOf)[0]
  if (either) return sampleOf(either)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'object') {
    const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
    const fields = partsOf(schema.properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field)]))
  }
  return samples[partText(schema.type)] ?? ''
}

const samples: Readonly<Record<string, unknown>> = { integer: 0, number: 0, boolean: false, array: [], string: '' }
