import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The paths of the panel's pages for signed-in users (`signedIn`) and for others (`signedOut`). */
export interface PanelRoutes {
  readonly signedIn: readonly string[]
  readonly signedOut: readonly string[]
}

/** Reads the paths of all pages from the panel's router, so that no test forgets a new page. */
export function panelRoutes(): PanelRoutes {
  const source = readFileSync('web/admin/app/router.tsx', 'utf8')
  const found = [...source.matchAll(/^ +(signedOutScreen|screen|deferredScreen|setting)\('(\/[^']*)'/gm)]
  // The router has one dynamic import per page and one for the layout that all settings pages share; a different number
  // means that the pattern above misses a page.
  assert.equal(found.length + 1, source.match(/\(\) => import\(/g)?.length, 'the router declares pages in a new way')
  const paths = found.map(([, kind, path = '']) => ({ kind, path: kind === 'setting' ? `/settings${path}` : path }))
  const ofKind = (outside: boolean): string[] =>
    paths.filter(({ kind }) => (kind === 'signedOutScreen') === outside).map(({ path }) => path)
  return { signedIn: ofKind(false), signedOut: ofKind(true) }
}
