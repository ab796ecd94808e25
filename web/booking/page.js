// The booking page works without this script. The script adds the visitor's time zone, changes of month without a page
// load, and fields that appear with an answer. When the visitor leaves, it releases the time reserved for the open
// form.

const main = document.getElementById('main')
const embedded = window.parent !== window

/** The pages that were fetched in the last 30 seconds, at most 12: a promise of the parsed document by URL. */
const pageCache = new Map()
const cacheMilliseconds = 30_000
const maxCachedPages = 12

function fetchPage(url) {
  const known = pageCache.get(url)
  if (known) return known
  const page = fetch(url, { headers: { Accept: 'text/html' } }).then(async (response) => {
    if (!response.ok || response.redirected) throw new Error(String(response.status))
    return new DOMParser().parseFromString(await response.text(), 'text/html')
  })
  pageCache.set(url, page)
  if (pageCache.size > maxCachedPages) pageCache.delete(pageCache.keys().next().value)
  page.catch(() => pageCache.delete(url))
  setTimeout(() => pageCache.delete(url), cacheMilliseconds)
  return page
}

/**
 * Replaces the shown month by that of `other`, a fetched page; the visitor's entries remain. Returns false if one of
 * the two pages shows no month.
 */
function showMonth(other) {
  const from = other.querySelector('[data-month]')
  const to = main.querySelector('[data-month]')
  if (!from || !to) return false
  const { activeElement } = document
  const label = activeElement?.getAttribute('aria-label')
  const tool = activeElement?.closest('[data-tools]') && activeElement.name
  const isMonthButton = activeElement?.classList.contains('nav')
  const position = isMonthButton ? [...to.querySelectorAll('.nav')].indexOf(activeElement) : -1
  to.replaceChildren(...document.importNode(from, true).childNodes)
  to.dataset.month = from.dataset.month
  const form = to.closest('form')
  const isOther = ['zone', 'seats'].some((name) => hiddenValue(form, name) !== hiddenValue(from.closest('form'), name))
  for (const name of ['month', 'date', 'zone', 'seats']) copyHiddenField(from.closest('form'), form, name)
  // The alternatives to a time that was taken are those for the previous number of people, in the previous time zone.
  if (isOther)
    for (const alternatives of main.querySelectorAll('form[data-form]'))
      if (alternatives !== form) alternatives.remove()
  const tools = other.querySelector('[data-tools]')
  if (tools) main.querySelector('[data-tools]')?.replaceWith(document.importNode(tools, true))
  const facts = other.querySelector('h1 + p')
  if (facts) main.querySelector('h1 + p')?.replaceWith(document.importNode(facts, true))
  // The focus returns to the corresponding element of the new month, so that keyboard users keep their place.
  const next = isMonthButton
    ? to.querySelectorAll('.nav')[position]
    : tool
      ? main.querySelector(`[data-tools] [name=${tool}]`)
      : label && [...to.querySelectorAll('[aria-label]')].find((one) => one.getAttribute('aria-label') === label)
  next?.focus()
  prepare()
  return true
}

function hiddenValue(form, name) {
  return form.querySelector(`input[type=hidden][name=${name}]`)?.value
}

function copyHiddenField(from, to, name) {
  const value = hiddenValue(from, name)
  const own = to.querySelector(`input[type=hidden][name=${name}]`)
  if (value === undefined) own?.remove()
  else if (own) own.value = value
  else to.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
}

/** Returns the URL of the page without a fragment. */
const address = () => location.href.split('#', 1)[0]
let shown = address()
let opened = 0

/**
 * Shows the page of the calendar at `url`, such as another month, without a page load. When that fails, the browser
 * loads the page. A page that arrives after another was opened is ignored.
 */
async function open(url, history) {
  opened += 1
  const mine = opened
  const month = main.querySelector('[data-month]')
  month?.setAttribute('aria-busy', 'true')
  try {
    const page = await fetchPage(url)
    if (mine !== opened) return
    if (history === 'push') window.history.pushState(null, '', url)
    if (history === 'replace') window.history.replaceState(null, '', url)
    shown = address()
    if (!showMonth(page)) location.assign(url)
    else if (history !== 'replace') applyBrowserZone()
  } catch {
    if (mine === opened) location.assign(url)
  } finally {
    if (mine === opened) month?.removeAttribute('aria-busy')
  }
}

main.addEventListener('click', (event) => {
  const link = event.target.closest('[data-month] a')
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  open(link.href, 'push')
})

main.addEventListener(
  'pointerenter',
  (event) => {
    const link = event.target.closest?.('[data-month] a')
    if (link) fetchPage(link.href).catch(() => {})
  },
  true,
)

// A link to a field of the form changes only the fragment, which shows no other page.
window.addEventListener('popstate', () => {
  if (address() === shown) return
  shown = address()
  open(shown, 'none')
})

function toolsUrl(form) {
  return `${form.action.split('?')[0]}?${new URLSearchParams(new FormData(form))}`
}

main.addEventListener('change', (event) => {
  const tools = event.target.closest('[data-tools]')
  if (!tools) return
  if (tools.method === 'get') open(toolsUrl(tools), 'push')
  else tools.requestSubmit(tools.querySelector('button'))
})

/** Switches to the browser's time zone, unless the visitor has chosen one. */
function applyBrowserZone() {
  const select = main.querySelector('select[data-zone=""]')
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!select || !zone || select.value === zone || select.form.method !== 'get') return
  if (![...select.options].some(({ value }) => value === zone)) select.add(new Option(zone))
  select.value = zone
  open(toolsUrl(select.form), 'replace')
}

/** Shows the fields whose condition is met; hidden fields are disabled, so that the form does not send them. */
function updateConditionalFields() {
  for (const field of main.querySelectorAll('[data-when]')) {
    const { when, is } = field.dataset
    const inputs = [...main.querySelectorAll(`[name="${CSS.escape(when)}"]`)].filter((input) => !input.disabled)
    const isBox = inputs.length === 1 && inputs[0].type === 'checkbox' && inputs[0].value === 'on'
    const met = isBox
      ? String(inputs[0].checked) === is
      : inputs.some((input) => input.value === is && (input.checked || !/checkbox|radio/.test(input.type)))
    field.hidden = !met
    for (const input of field.querySelectorAll('input,select,textarea')) input.disabled = !met
  }
}

let submitting = false
let released = false

function holdForm() {
  return main.querySelector('[data-held]') && main.querySelector('form[data-once]')
}

/**
 * Returns the fields that identify the time held for the visitor (reserved while the form is open) and by which a
 * private service admits the visitor, without the visitor's entries; `more` contains additional fields.
 */
function holdFields(form, more) {
  const fields = new URLSearchParams(more)
  for (const name of ['form', 'held', 'seats', 'link', 'as'])
    if (form.elements[name]) fields.set(name, form.elements[name].value)
  return fields
}

let timer
function startExpiryTimer() {
  clearTimeout(timer)
  const note = main.querySelector('[data-held]')
  if (!note) return
  timer = setTimeout(() => {
    note.textContent = note.dataset.expired
    note.setAttribute('role', 'status')
    delete note.dataset.held
  }, Number(note.dataset.held) * 1000)
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.dataset.once !== undefined) {
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'yes'
    form.setAttribute('aria-busy', 'true')
  }
  submitting = true
})

window.addEventListener('pagehide', () => {
  const form = holdForm()
  if (submitting || !form) return
  released = true
  navigator.sendBeacon(form.action, holdFields(form, { step: 'release', quiet: '1' }))
})

// When the visitor returns with the back button, the form can be sent again. The time that was released when the
// visitor left is reserved again if it is still free.
window.addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  submitting = false
  const form = main.querySelector('form[data-once]')
  form?.removeAttribute('aria-busy')
  if (form) delete form.dataset.sent
  if (!released || !form) return
  released = false
  const fields = holdFields(form, { step: 'choose' })
  fields.set('slot', fields.get('held'))
  fetch(form.action, { method: 'POST', body: fields }).catch(() => {})
})

/** Reports the content's height, the booked service and the key Escape to the embedding page, but no visitor data. */
function notifyParent() {
  if (!embedded) return
  const send = (message) => window.parent.postMessage({ source: 'daybook', ...message }, '*')
  new ResizeObserver(() =>
    send({ type: 'height', height: Math.ceil(document.documentElement.getBoundingClientRect().height) }),
  ).observe(document.body)
  const booked = main.querySelector('[data-booked]')
  send(booked ? { type: 'booked', serviceId: booked.dataset.booked } : { type: 'shown' })
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') send({ type: 'close' })
  })
}

/**
 * Prepares the displayed page: hides the buttons that this script replaces, shows conditional fields whose condition is
 * met, and fetches the next month in advance.
 */
function prepare() {
  for (const button of main.querySelectorAll('form[data-tools][method=get] button')) button.hidden = true
  updateConditionalFields()
  const next = main.querySelector('.month .nav:last-child[href]')
  if (next) setTimeout(() => fetchPage(next.href).catch(() => {}), 300)
}

main.addEventListener('input', updateConditionalFields)
prepare()
startExpiryTimer()
applyBrowserZone()
notifyParent()
main.querySelector('[role=alert]')?.focus()
