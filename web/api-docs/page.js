// Sends the requests of the API documentation. The token is read from its field for each request; it is never stored
// and
// never part of a URL.

const token = document.querySelector('#token')
const contents = document.querySelector('#contents')

// On a narrow screen the list of operations would fill the first page.
const narrow = matchMedia('(max-width: 60rem)')
const fold = () => contents?.toggleAttribute('open', !narrow.matches)
narrow.addEventListener('change', fold)
fold()

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
    const response = await fetch(request.address, request)
    const text = await response.text()
    const milliseconds = Math.round(performance.now() - since)
    answer.replaceChildren(...shown({ request, response, text, milliseconds }))
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
  const address = query.size > 0 ? `${path}?${query}` : path
  return { method, address, headers, ...(body !== undefined && { body }), credentials: 'omit', cache: 'no-store' }
}

function shown({ request, response, text, milliseconds }) {
  const head = element('p', `${response.status} ${response.statusText}, ${milliseconds} ms`)
  head.className = response.ok ? 'status good' : 'status bad'
  return [
    head,
    ...(response.status === 401 ? [wayToToken()] : []),
    block('Answer', formatted(text)),
    block('The same with curl', curl(request)),
  ]
}

function wayToToken() {
  const link = element('a', 'Set an API token')
  link.href = '#token'
  const line = element('p', '')
  line.append(link, ' at the top of the page, and send again.')
  return line
}

function block(title, text) {
  const box = element('pre', text)
  box.tabIndex = 0
  box.setAttribute('role', 'group')
  box.setAttribute('aria-label', title)
  const all = document.createElement('div')
  all.append(element('p', title), box)
  return all
}

const longest = 200_000

function formatted(text) {
  const cut = text.length > longest ? `${text.slice(0, longest)}\n… ${text.length} characters in all` : undefined
  if (cut !== undefined) return cut
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

// The curl command omits the secret, since copied text ends up in chats and histories.
function curl({ method, address, headers, body }) {
  const lines = [`curl -X ${method} ${quoted(new URL(address, location.href).href)}`]
  for (const [name, value] of Object.entries(headers)) {
    lines.push(name === 'Authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quoted(`${name}: ${value}`)}`)
  }
  if (body !== undefined) lines.push(`-d ${quoted(body)}`)
  return lines.join(' \\\n  ')
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function element(name, text) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
