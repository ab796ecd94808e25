// Sends the requests of the API documentation. The token is read from its field for each request; it is never stored and
// never part of a URL.

const token = document.querySelector('#token')
const contents = document.querySelector('#contents')

// On a narrow screen the list of operations is folded at first, since it would fill the first page.
const narrow = matchMedia('(max-width: 60rem)')
const collapseContents = () => contents?.toggleAttribute('open', !narrow.matches)
narrow.addEventListener('change', collapseContents)
collapseContents()

for (const form of document.querySelectorAll('form[data-path]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form)
  })
}

async function send(form) {
  const answer = form.querySelector('.answer')
  const request = requestOf(form)
  answer.replaceChildren('Sending …')
  const since = performance.now()
  try {
    const response = await fetch(request.url, request)
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - since)
    answer.replaceChildren(...renderResponse({ request, response, text, milliseconds }))
  } catch (error) {
    answer.replaceChildren(`Nothing came back: ${error.message}. Does the service still run?`)
  }
}

function requestOf(form) {
  const headers = {}
  const query = new URLSearchParams()
  if (token.value.trim() !== '') headers.Authorization = `Bearer ${token.value.trim()}`
  for (const field of form.querySelectorAll('[data-in]')) {
    if (field.value === '') continue
    if (field.dataset.in === 'header') headers[field.name] = field.value
    else query.append(field.name, field.value)
  }
  const body = form.querySelector('textarea')?.value
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const { method, path } = form.dataset
  const url = query.size > 0 ? `${path}?${query}` : path
  return { method, url, headers, ...(body !== undefined && { body }), credentials: 'omit', cache: 'no-store' }
}

function renderResponse({ request, response, text, milliseconds }) {
  const head = createElement('p', `${response.status} ${response.statusText}, ${milliseconds} ms`)
  head.className = response.ok ? 'status good' : 'status bad'
  return [
    head,
    ...(response.status === 401 ? [tokenHint()] : []),
    codeBlock('Answer', formatBody(text)),
    codeBlock('The same with curl', curlCommand(request)),
  ]
}

function tokenHint() {
  const link = createElement('a', 'Set an API token')
  link.href = '#token'
  const line = createElement('p', '')
  line.append(link, ' at the top of the page, and send again.')
  return line
}

function codeBlock(title, text) {
  const box = createElement('pre', text)
  box.tabIndex = 0
  box.setAttribute('role', 'group')
  box.setAttribute('aria-label', title)
  const all = document.createElement('div')
  all.append(createElement('p', title), box)
  return all
}

const maxShownLength = 200_000

function formatBody(text) {
  const cut =
    text.length > maxShownLength ? `${text.slice(0, maxShownLength)}\n… ${text.length} characters in all` : undefined
  if (cut !== undefined) return cut
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

// The curl command omits the secret, since copied text ends up in chats and histories.
function curlCommand({ method, url, headers, body }) {
  const lines = [`curl -X ${method} ${quoteForShell(new URL(url, location.href).href)}`]
  for (const [name, value] of Object.entries(headers)) {
    lines.push(
      name === 'Authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quoteForShell(`${name}: ${value}`)}`,
    )
  }
  if (body !== undefined) lines.push(`-d ${quoteForShell(body)}`)
  return lines.join(' \\\n  ')
}

function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function createElement(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
