import { posix } from 'node:path'
import { importsOf, withoutComments } from './imports.ts'

/** The role of a source file, which decides what the file may import: `pure`, `sql`, `operations` and so on. */
export type Role = string

/** The architecture rules that `breaches` checks: permitted imports, forbidden words, use of `catch`, and sizes. */
export interface Rules {
  /** Pairs of a path pattern and a role; the first pattern that matches a file's path decides the file's role. */
  readonly roles: readonly (readonly [RegExp, Role])[]
  /** The roles that each role may import. A role without an entry, such as `wiring`, may import everything. */
  readonly imports: Readonly<Record<Role, readonly Role[]>>
  /** The files from which a role may import types, in addition to the roles of `imports`. */
  readonly types: Readonly<Record<Role, readonly string[]>>
  /**
   * For each capability (a folder of `src/`), the other capabilities whose operations its own operations may import.
   */
  readonly capabilities: Readonly<Record<string, readonly string[]>>
  /**
   * Path patterns and the npm packages and `node:` modules that files there may use; a trailing `*` matches a prefix.
   */
  readonly modules: readonly (readonly [RegExp, readonly string[]])[]
  /** Paths of the files that may use `import()` with a path computed at run time. */
  readonly mayImportComputed: readonly string[]
  /** Words that the code of a role may not contain, and the paths of files that are exempt. */
  readonly forbidden: readonly { readonly role: Role; readonly words: RegExp; readonly except: readonly string[] }[]
  /** The paths of the files that may contain a `catch`, each with the reason. */
  readonly mayCatch: Readonly<Record<string, string>>
  readonly maxLines: number
  /** Patterns of the paths of files that may have more than `maxLines` lines. */
  readonly mayBeLong: readonly RegExp[]
  /** Maximum number of code files directly in one folder of the product. */
  readonly maxFiles: number
}

/** The content of every file to which the rules apply, by path. */
export type SourceFiles = ReadonlyMap<string, string>

/** Returns one sentence per violation of the rules; empty when there is none. Tests may import anything. */
export function breaches(sources: SourceFiles, rules: Rules): string[] {
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
    ...folderBreaches(
      code.map(([path]) => path),
      rules,
    ),
    ...cycles(sources),
    ...repeatedTypes(code),
  ]
}

/** Returns the names that two exported types or classes share: a reader could take one for the other. */
function repeatedTypes(code: readonly (readonly [path: string, text: string])[]): string[] {
  const types = code.flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:abstract )?(?:interface|type|class) (\w+)/gm)].map(([, name]) => ({ name, path })),
  )
  return [...Map.groupBy(types, ({ name }) => name)]
    .filter(([, homes]) => homes.length > 1)
    .map(([name, homes]) => `${homes.map(({ path }) => path).join(' and ')} export a type ${name} each`)
}

/** Returns the role of a file; `none` where no pattern matches. */
export function roleOf(path: string, { roles }: Rules): Role {
  return roles.find(([pattern]) => pattern.test(path))?.[1] ?? 'none'
}

function importBreaches(path: string, text: string, rules: Rules): string[] {
  const from = roleOf(path, rules)
  if (from === 'none') return [`${path} has no role`]
  const allowed = rules.imports[from]
  if (!allowed) return []
  return importsOf(text).flatMap(({ target, type }) => {
    if (target === '?')
      return rules.mayImportComputed.includes(path) ? [] : [`${path} (${from}) imports a computed path`]
    if (!target.startsWith('.')) {
      const covered = rules.modules.some(([part, modules]) => part.test(path) && modules.some((m) => covers(m, target)))
      return type || covered ? [] : [`${path} (${from}) imports ${target}`]
    }
    const file = resolve(path, target)
    const to = roleOf(file, rules)
    if (type && rules.types[from]?.includes(file)) return []
    if (!allowed.includes(to)) return [`${path} (${from}) imports ${target} (${to})`]
    const [one, other] = [capabilityOf(path), capabilityOf(file)]
    const meet = from === 'operations' && to === 'operations' && one !== other
    return meet && !rules.capabilities[one]?.includes(other)
      ? [`${path}: operations of ${one} may not use ${other}`]
      : []
  })
}

function capabilityOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function covers(allowed: string, target: string): boolean {
  return allowed === target || (allowed.endsWith('*') && target.startsWith(allowed.slice(0, -1)))
}

function resolve(path: string, target: string): string {
  return posix.join(posix.dirname(path), target)
}

function wordBreaches(path: string, text: string, rules: Rules): string[] {
  const code = withoutComments(text)
  return rules.forbidden.flatMap(({ role, words, except }) => {
    if (roleOf(path, rules) !== role || except.includes(path)) return []
    const word = words.exec(code)?.[0]
    return word === undefined ? [] : [`${path} (${role}) mentions ${word}`]
  })
}

function catchBreaches(path: string, text: string, rules: Rules): string[] {
  return /\bcatch\b/.test(withoutComments(text)) && !(path in rules.mayCatch)
    ? [`${path} catches, and is not listed`]
    : []
}

function lengthBreaches(path: string, text: string, rules: Rules): string[] {
  const lines = text.split('\n').length - 1
  return lines > rules.maxLines && !rules.mayBeLong.some((long) => long.test(path))
    ? [`${path} has ${lines} lines`]
    : []
}

function folderBreaches(paths: readonly string[], rules: Rules): string[] {
  const folders = Map.groupBy(paths, (path) => posix.dirname(path))
  return [...folders].flatMap(([folder, files]) =>
    files.length > rules.maxFiles ? [`${folder} has ${files.length} files`] : [],
  )
}

/**
 * Returns the import cycles of the sources: at least one if there is any, but possibly not all of several cycles that
 * share files. Imports of types count as well, because two files that need each other's types should be one file or
 * share a third.
 */
function cycles(sources: SourceFiles): string[] {
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
