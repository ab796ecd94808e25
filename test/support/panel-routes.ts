import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** The pages of the panel for signed-in users and for others, as its router lists them. */
export interface PanelRoutes {
  readonly inside: readonly string[]
  readonly outside: readonly string[]
}

/** Reads the paths of all pages from the panel's router, so that no test forgets a new page. */
export function panelRoutes(): PanelRoutes {
  const source = readFileSync('web/admin/app/router.tsx', 'utf8')
  const found = [...source.matchAll(/^ +(outside|screen|later|setting)\('(\/[^']*)'/gm)]
  // Each page is loaded by one import; a page that is declared in another way would be missing here.
  assert.equal(found.length + 1, source.match(/\(\) => import\(/g)?.length, 'the router declares pages in a new way')
  const paths = found.map(([, kind, path = '']) => ({ kind, path: kind === 'setting' ? `/settings${path}` : path }))
  const ofKind = (outside: boolean): string[] =>
    paths.filter(({ kind }) => (kind === 'outside') === outside).map(({ path }) => path)
  return { inside: ofKind(false), outside: ofKind(true) }
}
