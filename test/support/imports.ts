/**
 * One import or re-export of a source file; `target` is the module specifier as written, or `?` for a computed path.
 */
export interface Import {
  readonly target: string
  /** Whether the import is erased before run time, as `import type` and `export type` are. */
  readonly type: boolean
}

// Strings are matched too, so that a `//` inside a string is not taken for a comment.
const stringOrComment = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const names = String.raw`(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\}|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+[\w$]+))?)`
const fromClause = new RegExp(String.raw`^(?:import|export)\s+(type\s+)?${names}\s*from\s*['"]([^'"]+)['"]`, 'gm')
const bareImport = /^import\s*['"]([^'"]+)['"]/gm
const dynamicImport = /\bimport\(\s*(?:['"]([^'"]*)['"])?/g

/** Returns a source text without its comments; positions and line numbers change. */
export function withoutComments(text: string): string {
  return text.replace(stringOrComment, (part) => (part.startsWith('/') ? ' ' : part))
}

/**
 * Returns every import and re-export of a module, in no particular order. A dynamic import of a computed path has the
 * target `?`.
 */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text)
  return [
    ...[...code.matchAll(fromClause)].map(([, type, target = '?']) => ({ target, type: type !== undefined })),
    ...[...code.matchAll(bareImport)].map(([, target = '?']) => ({ target, type: false })),
    ...[...code.matchAll(dynamicImport)].map(([, target = '?']) => ({ target, type: false })),
  ]
}
