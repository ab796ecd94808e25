// Milliseconds for which a part of a page is waited for.
const patience = 5_000

/** Scrolls a part of the page into view, as soon as it has been drawn. */
export function showPart(id: string): void {
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
  setTimeout(() => observer.disconnect(), patience)
}
