// Shows the booking page on another site: in place, in a pop-up, or behind a floating button.
//
//   <script src="https://book.example/embed.js" data-service="check-up" async></script>
//
// data-service   the slug of a service, the last part of its address; shows the list of services when absent
// data-with      a provider's number, or "any"
// data-host      a token that your site has signed for its user
// data-mode      "inline" (default), "popup" (opens from elements with data-daybook-open) or "button"; with several
//                pop-ups on a page, data-daybook-open="check-up" opens the one with that data-service, and an element
//                without a service the one whose script is nearest
// data-label     the text of the floating button; when absent, "Book now" in the language of data-lang or else of the
//                other site
// data-color     the background colour of the floating button, as a CSS colour
// data-lang      the language, such as "de"; when absent, the page in the frame has that of the browser
// data-target    a CSS selector of the element that shows the page inline; after the script element when absent
//
// The script dispatches the events "daybook:booked" and "daybook:closed" on the document of the other site.

;(() => {
  const script = document.currentScript
  if (!script) return
  const origin = new URL(script.src).origin
  const { service = '', mode = 'inline', lang = '', target = '' } = script.dataset
  // The service replaces the name by an object with the texts of each language of the booking page.
  const texts = new Map(Object.entries(__TEXTS__))
  const words = [lang, document.documentElement.lang, 'en']
    .map((tag) => texts.get(tag.toLowerCase().split(/[-_]/, 1)[0]))
    .find((one) => one !== undefined)
  const label = script.dataset.label || words.bookNow

  function pageUrl() {
    const url = new URL(service ? `/book/${encodeURIComponent(service)}/` : '/book/', origin)
    url.searchParams.set('embed', '1')
    if (lang) url.searchParams.set('lang', lang)
    if (script.dataset.host) url.searchParams.set('host', script.dataset.host)
    if (script.dataset.with) url.searchParams.set('with', script.dataset.with)
    url.searchParams.set('referrer', location.hostname)
    for (const [name, value] of new URLSearchParams(location.search))
      if (/^utm_[a-z]+$/.test(name)) url.searchParams.set(name, value)
    return url.href
  }

  // Styles are set as properties: a strict content security policy of the page forbids style attributes in markup.
  function applyStyle(element, style) {
    Object.assign(element.style, style)
    return element
  }

  function frame(title) {
    const made = document.createElement('iframe')
    made.src = pageUrl()
    made.title = title
    made.allow = 'clipboard-write'
    return applyStyle(made, {
      border: '0',
      width: '100%',
      height: '640px',
      colorScheme: 'normal',
      background: 'transparent',
    })
  }

  const frames = new Map()
  addEventListener('message', (event) => {
    if (event.origin !== origin || event.data?.source !== 'daybook') return
    for (const [element, close] of frames) {
      if (element.contentWindow !== event.source) continue
      const { type, height, serviceId } = event.data
      if (type === 'height' && Number.isFinite(height))
        element.style.height = `${Math.min(Math.max(height, 200), 20_000)}px`
      if (type === 'booked') document.dispatchEvent(new CustomEvent('daybook:booked', { detail: { serviceId } }))
      if (type === 'close') close?.()
    }
  })

  function showInline() {
    const element = frame(label)
    frames.set(element, undefined)
    const place = target && document.querySelector(target)
    if (place) place.append(element)
    else script.after(element)
  }

  /**
   * Opens the booking page in a modal dialog. The dialog traps the focus, and returns it to the previous element when
   * it closes.
   */
  function showPopup() {
    const dialog = applyStyle(document.createElement('dialog'), {
      border: '0',
      padding: '0',
      width: 'min(60rem, 96vw)',
      maxHeight: '94vh',
      overflow: 'auto',
      borderRadius: '12px',
    })
    dialog.setAttribute('aria-label', label)
    const element = frame(label)
    const button = applyStyle(document.createElement('button'), {
      position: 'sticky',
      top: '0',
      float: 'right',
      width: '44px',
      height: '44px',
      border: '0',
      background: 'Canvas',
      color: 'CanvasText',
      font: '24px/1 system-ui, sans-serif',
      cursor: 'pointer',
    })
    button.textContent = '×'
    button.setAttribute('aria-label', words.closeFrame)
    button.addEventListener('click', () => dialog.close())
    dialog.append(button, element)
    frames.set(element, () => dialog.close())
    dialog.addEventListener('close', () => {
      frames.delete(element)
      dialog.remove()
      document.dispatchEvent(new CustomEvent('daybook:closed'))
    })
    document.body.append(dialog)
    dialog.showModal()
  }

  function showButton() {
    const button = applyStyle(document.createElement('button'), {
      position: 'fixed',
      insetInlineEnd: '16px',
      bottom: '16px',
      zIndex: '2147483000',
      minHeight: '48px',
      padding: '0 24px',
      border: '0',
      borderRadius: '24px',
      background: script.dataset.color || '#1f5fbf',
      color: '#fff',
      font: '600 16px/1 system-ui, sans-serif',
      cursor: 'pointer',
      boxShadow: '0 2px 12px rgb(0 0 0 / 30%)',
    })
    button.textContent = label
    button.addEventListener('click', showPopup)
    document.body.append(button)
  }

  /**
   * Returns whether an element with data-daybook-open opens the pop-up of this script. Of several pop-ups on the page,
   * an element opens the one whose service it names, if any, or else the one with which it shares the innermost
   * ancestor; of several there, the next one after the element, or else the last one.
   */
  function opensThisPopup(element) {
    const popups = new Set(document.querySelectorAll('script[src*="/embed.js"][data-mode="popup"]')).add(script)
    const named = [...popups].filter((one) => one.dataset.service === element.dataset.daybookOpen)
    const candidates = named.length > 0 ? named : [...popups]
    for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
      const inside = candidates.filter((one) => ancestor.contains(one))
      if (inside.length === 0) continue
      const next = inside.find((one) => element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING)
      return (next ?? inside.at(-1)) === script
    }
    return candidates.includes(script)
  }

  const start = () => {
    if (mode === 'popup')
      document.addEventListener('click', (event) => {
        const element = event.target.closest?.('[data-daybook-open]')
        if (!element || !opensThisPopup(element)) return
        event.preventDefault()
        showPopup()
      })
    else if (mode === 'button') showButton()
    else showInline()
  }
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
  else start()
})()
