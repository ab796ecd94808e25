/** One import of a source file, as written. */
export interface Import {
  readonly target: string
  /** Erased at run time: `import type` and `export type`. */
  readonly type: boolean
}

// A string keeps its place, a comment goes; without the strings, a `//` inside one would end the line.
const stringOrComment = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const names = String.raw`(?:\*(?:\s+as\s+[\w$]+)?|\{[^}]*\}|[\w$]+(?:\s*,\s*(?:\{[^}]*\}|\*\s+as\s+[\w$]+))?)`
const fromClause = new RegExp(String.raw`^(?:import|export)\s+(type\s+)?${names}\s*from\s*['"]([^'"]+)['"]`, 'gm')
const bareImport = /^import\s*['"]([^'"]+)['"]/gm
const dynamicImport = /\bimport\(\s*(?:['"]([^'"]*)['"])?/g

/** The text without its comments; lines keep their numbers no longer. */
export function withoutComments(text: string): string {
  return text.replace(stringOrComment, (part) => (part.startsWith('/') ? ' ' : part))
}

/** Every import and re-export of a module, in no order. A dynamic import of a computed path has the target `?`. */
export function importsOf(text: string): Import[] {
  const code = withoutComments(text)
  return [
    ...[...code.matchAll(fromClause)].map(([, type, target = '?']) => ({ target, type: type !== undefined })),
    ...[...code.matchAll(bareImport)].map(([, target = '?']) => ({ target, type: false })),
    ...[...code.matchAll(dynamicImport)].map(([, target = '?']) => ({ target, type: false })),
  ]
}
