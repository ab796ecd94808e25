import { createStore, useStore } from './store.ts'

const secret = createStore('')

/**
 * Moves the secret of a one-time link from the fragment of the URL to the store `secret`, so that neither the browser's
 * history nor a screenshot of the page contains it.
 */
function takeSecretFromUrl(): void {
  const found = decodeURIComponent(location.hash.slice(1))
  if (!/^[\w-]{20,}$/.test(found)) return
  secret.set(found)
  history.replaceState(history.state, '', location.pathname + location.search)
}

takeSecretFromUrl()
// Opening another link to the same page in this tab changes only the fragment of the URL, so the browser loads no page
// and fires `hashchange`.
addEventListener('hashchange', takeSecretFromUrl)

/** Returns the secret of the one-time link that was opened last in this tab; empty when no link was opened. */
export function useOneTimeSecret(): string {
  return useStore(secret)
}
