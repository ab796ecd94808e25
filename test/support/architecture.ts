import { posix } from 'node:path'
import { importsOf, withoutComments } from './imports.ts'

/** What one layer may use. */
export interface Layer {
  /** Layers it may import from at run time. */
  readonly imports: readonly string[]
  /** Layers of which it may only import types. */
  readonly types?: readonly string[]
  /** npm packages and `node:` modules; a trailing `/*` covers the paths inside a package. */
  readonly modules: readonly string[]
}

export interface Rules {
  readonly layers: Readonly<Record<string, Layer>>
  /** File or folder (ending in `/`) → layer; the longest that fits counts. */
  readonly places: Readonly<Record<string, string>>
  /** Layers that may import everything; nothing below may import them. */
  readonly top: readonly string[]
  /** Layer → words its code may not mention, with the files that may. */
  readonly forbidden: readonly { readonly layer: string; readonly words: RegExp; readonly except: readonly string[] }[]
  /** File → why a `catch` stands there. */
  readonly mayCatch: Readonly<Record<string, string>>
  readonly longest: number
  /** Files that may be longer. */
  readonly mayBeLong: readonly RegExp[]
}

/** Path → text, of every file that the rules are about. */
export type Sources = ReadonlyMap<string, string>

/** One sentence for each breach of the rules; empty when there is none. Tests may import what they like. */
export function breaches(sources: Sources, rules: Rules): string[] {
  const product = [...sources].filter(([path]) => path.startsWith('src/') || path.startsWith('web/'))
  const code = product.filter(([path]) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  return [
    ...code.flatMap(([path, text]) => importBreaches(path, text, rules)),
    ...code.flatMap(([path, text]) => wordBreaches(path, text, rules)),
    ...code.flatMap(([path, text]) => catchBreaches(path, text, rules)),
    ...Object.keys(rules.mayCatch)
      .filter((path) => !/\bcatch\b/.test(withoutComments(sources.get(path) ?? '')))
      .map((path) => `${path} is listed as catching and catches nothing`),
    ...[...sources].flatMap(([path, text]) => lengthBreaches(path, text, rules)),
    ...circles(sources),
  ]
}

/** The layer of a file, or undefined when no place covers it. */
function layerOf(path: string, rules: Rules): string | undefined {
  const place = Object.keys(rules.places)
    .filter((name) => path === name || (name.endsWith('/') && path.startsWith(name)))
    .sort((a, b) => b.length - a.length)[0]
  return place === undefined ? undefined : rules.places[place]
}

function importBreaches(path: string, text: string, rules: Rules): string[] {
  const from = layerOf(path, rules)
  if (from === undefined) return [`${path} lies in no layer`]
  return importsOf(text).flatMap(({ target, type }) => {
    if (rules.top.includes(from)) return []
    if (target === '?') return [`${path} (${from}) imports a computed path`]
    const layer = rules.layers[from]
    if (!layer) return [`${path}: the layer ${from} has no rules`]
    if (!target.startsWith('.')) {
      return type || layer.modules.some((allowed) => covers(allowed, target))
        ? []
        : [`${path} (${from}) imports ${target}`]
    }
    const to = layerOf(resolve(path, target), rules)
    const allowed = to === from || layer.imports.includes(to ?? '') || (type && layer.types?.includes(to ?? ''))
    return allowed ? [] : [`${path} (${from}) imports ${target} (${to ?? 'no layer'})`]
  })
}

function covers(allowed: string, target: string): boolean {
  return allowed === target || (allowed.endsWith('/*') && target.startsWith(allowed.slice(0, -1)))
}

function resolve(path: string, target: string): string {
  return posix.join(posix.dirname(path), target)
}

function wordBreaches(path: string, text: string, rules: Rules): string[] {
  const code = withoutComments(text)
  return rules.forbidden.flatMap(({ layer, words, except }) => {
    if (layerOf(path, rules) !== layer || except.includes(path)) return []
    const word = words.exec(code)?.[0]
    return word === undefined ? [] : [`${path} (${layer}) mentions ${word}`]
  })
}

function catchBreaches(path: string, text: string, rules: Rules): string[] {
  return /\bcatch\b/.test(withoutComments(text)) && !(path in rules.mayCatch)
    ? [`${path} catches, and is not listed`]
    : []
}

function lengthBreaches(path: string, text: string, rules: Rules): string[] {
  const lines = text.split('\n').length - 1
  return lines > rules.longest && !rules.mayBeLong.some((long) => long.test(path)) ? [`${path} has ${lines} lines`] : []
}

/** Each circle of imports once, types included: files that need each other are one file or three. */
function circles(sources: Sources): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(path)
    if (seen >= 0) {
      found.push(`circle: ${[...trail.slice(seen), path].join(' → ')}`)
      return
    }
    if (done.has(path)) return
    for (const { target } of importsOf(sources.get(path) ?? '')) {
      if (target.startsWith('.')) visit(resolve(path, target), [...trail, path])
    }
    done.add(path)
  }
  for (const path of sources.keys()) if (/\.tsx?$/.test(path)) visit(path, [])
  return found
}
