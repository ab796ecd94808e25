import { type Html, html } from '../html.ts'
import {
  type DocumentedOperation,
  type DocumentPart,
  isPart,
  operationGroups,
  partsOf,
  partText,
  schemaIn,
} from './openapi-document.ts'
import { added, type Field, fieldsOf, fieldTable, typeText } from './schema-table.ts'
import { tryForm } from './try-form.ts'

/** The paths in the API documentation page: of its style sheet, script and icon, the OpenAPI document, and the API. */
export interface DocsPlaces {
  /** The path under which the page's style sheet, script and icon are served, ending in a slash. */
  readonly files: string
  readonly document: string
  readonly root: string
}

/** Renders the OpenAPI document as one HTML page; each operation has a form with which a reader sends a request. */
export function apiDocs(document: DocumentPart, places: DocsPlaces): string {
  const groups = [...operationGroups(document)]
  const schemas = isPart(document.components) ? partsOf(document.components.schemas) : []
  const title = isPart(document.info) ? partText(document.info.title) : ''
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} API</title>
<link rel="icon" href="${places.files}icon.svg">
<link rel="stylesheet" href="${places.files}page.css">
<script type="module" src="${places.files}page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><h1>${title} API</h1><p><a href="${places.document}">OpenAPI document</a></p></header>
<nav aria-label="Operations">${contents(groups)}</nav>
<main id="content" tabindex="-1">
${introduction(places.root)}
${groups.map(([name, operations]) => group(name, operations, places.root))}
<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.map(schemaSection)}</section>
</main>
</body>
</html>
`.text
}

function contents(groups: readonly (readonly [string, readonly DocumentedOperation[]])[]): Html {
  const lists = groups.map(
    ([name, operations]) =>
      html`<h2>${capital(name)}</h2><ul>${operations.map(
        ({ id, method, path }) => html`<li><a href="#${id}">${badge(method)} <span>${path}</span></a></li>`,
      )}</ul>`,
  )
  return html`<details id="contents" open><summary>Operations</summary>${lists}<h2>More</h2><ul><li><a href="#schemas">Schemas</a></li></ul></details>`
}

function introduction(root: string): Html {
  return html`<section aria-labelledby="begin"><h2 id="begin">Begin</h2>
<p>Every path stands under <code>${root}</code> and answers JSON. Send an API token as <code>Authorization: Bearer …</code>
or as <code>X-SVC-API-Key</code>. <span class="addition">addition</span> marks what is not in the specification.</p>
<p class="field token"><label for="token">API token for trying things out</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint">
<span class="hint" id="token-hint">Kept in this page's memory alone, gone when you leave or reload it. Writes are dry runs
until you say otherwise.</span></p>
<noscript><p>Trying things out needs scripts; everything else on this page does not.</p></noscript></section>`
}

function group(name: string, operations: readonly DocumentedOperation[], root: string): Html {
  return html`<section aria-labelledby="group-${name}"><h2 id="group-${name}">${capital(name)}</h2>
${operations.map((operation) => operationArticle(operation, root))}</section>`
}

function operationArticle(operation: DocumentedOperation, root: string): Html {
  const { id, method, path, summary, scope, addition, parameters, body } = operation
  return html`<article id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${summary}${addition && added}</h3>
<p class="line">${badge(method)} <code>${path}</code> <span class="scope">scope ${scope}</span></p>
${parameters.length > 0 && fieldTable('Parameters', parameters.map(parameterField))}
${body && fieldTable('Body', fieldsOf(body))}
${answers(operation)}
${tryForm(operation, root)}
</article>`
}

function parameterField(parameter: DocumentPart): Field {
  const schema = isPart(parameter.schema) ? parameter.schema : {}
  return {
    name: partText(parameter.name),
    required: parameter.required === true,
    schema,
    description: partText(parameter.description) || partText(schema.description),
    addition: parameter['x-addition'] === true,
  }
}

function answers({ responses }: DocumentedOperation): Html {
  const rows = responses.map(({ status, response }) => {
    const schema = schemaIn(response)
    return html`<dt><code>${status}</code></dt><dd>${partText(response.description)}${schema && html`: ${answerText(schema)}`}</dd>`
  })
  return html`<h4>Answers</h4><dl>${rows}</dl>`
}

/** Describes the body of a response: an inline object field by field, any other schema by its name or type. */
function answerText(schema: DocumentPart): Html {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return html`${typeText(schema)}`
  const shown = fields.map(
    ({ name, schema: field }, at) => html`${at > 0 && ', '}<code>${name}</code> ${typeText(field)}`,
  )
  return html`${shown}`
}

function schemaSection([name, schema]: readonly [string, DocumentPart]): Html {
  return html`<article id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title">${name}</h3>
<p>${partText(schema.description)}</p>${fieldTable(`Fields of ${name}`, fieldsOf(schema))}</article>`
}

function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
