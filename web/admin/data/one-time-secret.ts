import { createStore, useStore } from './store.ts'

const secret = createStore('')

/**
 * Moves the secret of a one-time link from the address bar to the store, so that it appears in no history and no
 * screenshot.
 */
function takeSecretFromUrl(): void {
  const found = decodeURIComponent(location.hash.slice(1))
  if (!/^[\w-]{20,}$/.test(found)) return
  secret.set(found)
  history.replaceState(history.state, '', location.pathname + location.search)
}

takeSecretFromUrl()
// A link pasted into the same tab changes only the fragment, so the browser loads no page and fires `hashchange`.
addEventListener('hashchange', takeSecretFromUrl)

/** The secret of the one-time link that opened the page; empty when there was none. */
export function useOneTimeSecret(): string {
  return useStore(secret)
}
