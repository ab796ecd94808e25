import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { importsOf } from './imports.ts'

/** Matches the paths of files on which every test depends, such as the lock file of npm. */
const everything = /^(?:package(?:-lock)?\.json|tsconfig\.json|test\/run\.ts|test\/support\/(?:runner|report)\.ts)$/
/**
 * Patterns of test paths, each with prefixes of the paths of files on which these tests depend without importing all of
 * them: files that the tests read or start, and `.npmrc`, which determines the content of the lock file.
 */
const more: readonly { readonly tests: RegExp; readonly on: readonly string[] }[] = [
  { tests: /^test\/web\/|^test\/api\/hostile/, on: ['web/', 'bin/'] },
  {
    tests: /^test\/docs\.test/,
    on: ['docs/', 'examples/', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'web/client.ts'],
  },
  { tests: /^test\/architecture\.test/, on: ['src/', 'web/'] },
  { tests: /^test\/cli\/|^test\/docs\.test/, on: ['src/cli/'] },
  { tests: /^test\/integrations\.test/, on: ['integrations/'] },
  { tests: /^test\/bench\.test/, on: ['bench/'] },
  { tests: /^test\/lockfile\.test/, on: ['.npmrc'] },
]

/** Returns the paths of the files that differ from a Git revision, committed or not, and of untracked files. */
export function changedSince(revision: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)
  return [...new Set([...git('diff', '--name-only', revision), ...git('ls-files', '--others', '--exclude-standard')])]
}

/**
 * Returns the test files that a change of the given files can affect, through imports, started programs or files that
 * a test reads.
 */
export function affectedBy(changed: readonly string[], tests: readonly string[]): string[] {
  if (changed.some((path) => everything.test(path))) return [...tests]
  const graph = dependencies()
  return tests.filter((test) => {
    const reached = closure(graph, test)
    const prefixes = more.filter((one) => one.tests.test(test)).flatMap(({ on }) => on)
    return changed.some((path) => reached.has(path) || prefixes.some((prefix) => path.startsWith(prefix)))
  })
}

type Graph = ReadonlyMap<string, readonly string[]>

/** Returns, for each file, the files that it imports, starts or reads. */
function dependencies(): Graph {
  const files = globSync('{src,test,bench,web,bin}/**/*.{ts,tsx,js,sql}').map((path) => path.replaceAll('\\', '/'))
  return new Map(files.map((path) => [path, targetsOf(path, files)]))
}

function targetsOf(path: string, files: readonly string[]): string[] {
  // `src/cli/commands.ts` imports each command dynamically. Following these imports would make every test that starts
  // the program depend on all commands. For the tests of commands, `more` contains the folder `src/cli/` instead.
  if (path === 'src/cli/commands.ts' || path.endsWith('.sql')) return []
  const text = readFileSync(path, 'utf8')
  const urls = [...text.matchAll(/new URL\('(\.[^']*)'/g)].map(([, target = '']) => target)
  const targets = [...importsOf(text).map(({ target }) => target), ...urls]
    .filter((target) => target.startsWith('.'))
    .map((target) => posix.join(posix.dirname(path), target))
  const inFolders = targets.flatMap((target) =>
    target.endsWith('/') ? files.filter((file) => file.startsWith(target)) : [],
  )
  const started = path === 'test/support/daybook.ts' ? ['bin/daybook.js', 'src/main.ts', 'src/cli/serve/serve.ts'] : []
  return [...targets.filter((target) => existsSync(target)), ...inFolders, ...started]
}

function closure(graph: Graph, from: string): ReadonlySet<string> {
  const reached = new Set([from])
  for (const path of reached) for (const next of graph.get(path) ?? []) reached.add(next)
  return reached
}
