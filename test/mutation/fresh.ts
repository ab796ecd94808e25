import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const standIn = new URL('./node-test.ts', import.meta.url).href
const texts = new Map<string, string>()
let generation = 0

/**
 * Loads a test file, and the modules of the repository that it imports, anew at each call. A mutant (the code with one
 * small fault) is then active from the first line and finds no state of an earlier one. npm packages are loaded once;
 * tests register with test/mutation/node-test.ts instead of `node:test`.
 */
export function loadAnew(file: string): Promise<unknown> {
  generation += 1
  return import(`${pathToFileURL(resolve(file)).href}?generation=${generation}`)
}

registerHooks({
  resolve(specifier, context, next) {
    const parent = /\?generation=\d+$/.exec(context.parentURL ?? '')?.[0]
    if (parent && specifier === 'node:test') return { url: standIn, format: 'module-typescript', shortCircuit: true }
    const found = next(specifier, context)
    if (!parent || !found.url.startsWith('file:') || !isOurs(found.url) || found.url.includes('?')) return found
    return { ...found, url: found.url + parent }
  },
  load(url, context, next) {
    if (!url.includes('?generation=')) return next(url, context)
    const path = fileURLToPath(url)
    // Each file is read and stripped of types once, because files do not change between mutants.
    const text = texts.get(path) ?? stripTypeScriptTypes(readFileSync(path, 'utf8'))
    texts.set(path, text)
    return { format: 'module', source: text, shortCircuit: true }
  },
})

function isOurs(url: string): boolean {
  const path = relative(process.cwd(), fileURLToPath(url))
  return path.endsWith('.ts') && !path.startsWith('..') && !path.includes('node_modules')
}
