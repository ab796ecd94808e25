import { createStore, useStore } from './store.ts'

const secret = createStore('')

/** Takes the secret of a one-time link out of the address bar, so that it stays in no history and no screenshot. */
function take(): void {
  const found = decodeURIComponent(location.hash.slice(1))
  if (!/^[\w-]{20,}$/.test(found)) return
  secret.set(found)
  history.replaceState(history.state, '', location.pathname + location.search)
}

take()
// Another link pasted into the same tab changes the fragment alone: nothing is loaded anew.
addEventListener('hashchange', take)

/** The secret of the one-time link that this page was opened with; empty where there was none. */
export function useOneTimeSecret(): string {
  return useStore(secret)
}
