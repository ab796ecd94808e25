// Milliseconds for which `scrollToElement` waits for the element.
const timeoutMilliseconds = 5_000

/** Scrolls the element with this id into view as soon as it exists; gives up after five seconds. */
export function scrollToElement(id: string): void {
  const show = (): boolean => {
    const part = document.getElementById(id)
    part?.scrollIntoView()
    return part !== null
  }
  if (show()) return
  const observer = new MutationObserver(() => {
    if (show()) observer.disconnect()
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), timeoutMilliseconds)
}
