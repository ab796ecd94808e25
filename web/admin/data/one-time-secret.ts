import { createStore, useStore } from './store.ts'

const secret = createStore('')

/** Removes the secret of a one-time link from the address bar, so that it appears in no history and no screenshot. */
function take(): void {
  const found = decodeURIComponent(location.hash.slice(1))
  if (!/^[\w-]{20,}$/.test(found)) return
  secret.set(found)
  history.replaceState(history.state, '', location.pathname + location.search)
}

take()
// Pasting another link into the same tab changes only the fragment and loads nothing.
addEventListener('hashchange', take)

/** The secret of the one-time link that opened the page; empty when there was none. */
export function useOneTimeSecret(): string {
  return useStore(secret)
}
