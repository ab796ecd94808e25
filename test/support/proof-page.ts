import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { duration, type ProofTotals } from './proof-parts.ts'
import { type ProofDefinition, proofs } from './proofs.ts'

/** The machine, the versions and the digest of the files that a proof ran with, by label. */
export type Circumstances = ReadonlyMap<string, string>

/** Returns the `Circumstances` for the page of a proof; `tree` is the digest of the tested files. */
export async function circumstances(tree: string, databaseUrl: string | undefined): Promise<Circumstances> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [cpu] = cpus()
  return new Map([
    ['Daybook', `${version}, ${commit()}, ${markOf(tree)}`],
    ['Machine', `${cpu?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory`],
    ['System', `${type()} ${release()}, ${process.arch}`],
    ['Disk', disk()],
    ['Node', process.version],
    ['SQLite', sqliteVersion()],
    ['PostgreSQL', databaseUrl === undefined ? 'not here' : await postgresVersion(databaseUrl)],
  ])
}

/** Returns the first 12 digits of the digest of the proved files, as a page of a proof contains them. */
function markOf(tree: string): string {
  return `files ${tree.slice(0, 12)}`
}

/**
 * Returns the path of the report (a Markdown page) on proofs that began on a day. If a report of that day on other
 * tested files exists, the new report gets a number instead of overwriting it.
 */
export function pagePath(folder: string, day: string, tree: string): string {
  for (let nth = 1; ; nth += 1) {
    const path = `${folder}/${nth === 1 ? day : `${day}-${nth}`}.md`
    if (!existsSync(path) || readFileSync(path, 'utf8').includes(markOf(tree))) return path
  }
}

/** Returns the Markdown page that reports one run of proofs. */
export function proofPage(date: string, about: Circumstances, tallies: readonly ProofTotals[]): string {
  return `# Proof of ${date}

Made by \`npm run prove\`; [what it does](README.md).

| | |
|---|---|
${[...about].map(([name, value]) => `| ${name} | ${value} |\n`).join('')}
| Row | Promise | Verdict |
|---|---|---|
${tallies.map(({ proof, verdict }) => `| ${proof.row} | ${proof.promise} | ${verdict} |\n`).join('')}${tallies
  .filter(({ verdict }) => verdict !== 'not run')
  .map(section)
  .join('')}`
}

/** Returns the Markdown guide to proofs, with a row for each proof. */
export function proofGuide(): string {
  return `# Proofs

<!-- Made by "npm run docs" from test/support/proofs.ts and test/support/proof-page.ts; edit it there. -->

\`npm test\` tests every promise at a small scale. \`npm run prove\` tests each at full size and writes a report to this folder, named
after the day it began (and numbered where other files were tested that day): the machine, the versions, what was counted, the seeds,
and a verdict for each row.

\`\`\`text
npm run prove                    every row, from where the last run stopped
npm run prove -- --rows B1,B6    only these rows
npm run prove -- --again         from the start; with --rows, only these rows
\`\`\`

A row is run in parts, one after the other, each with its own seed. Results are stored in \`.proof/\` for exactly the tested
files: an interrupted run continues with the next part, and after any change of the code everything is tested again. The command exits
with 1 when a row is broken or incomplete. A failure prints the command that repeats its part.

| Verdict | Means |
|---|---|
| held | every part ran and nothing failed |
| broken | a test failed, or ran without reporting what it counted |
| left out | nothing could be tested here, for the reason given |
| cut off | not every part has been run |
| not run | no part has been run |

A row that held may still have skipped something, with the reason, such as PostgreSQL where it is not installed. The
PostgreSQL servers that the tests start run without fsync: they show how transactions behave, not what survives a power failure.

| Row | Promise | Tests | Scale | Parts |
|---|---|---|---|---|
${proofs.map(guideRow).join('')}`
}

function guideRow({ row, promise, files, scale, parts }: ProofDefinition): string {
  return `| ${row} | ${promise} | ${files.map(linked).join(', ')} | ${scale} | ${parts} |\n`
}

function linked(file: string): string {
  return `[${file.slice(file.lastIndexOf('/') + 1)}](../../${file})`
}

function section({ proof, verdict, results, figures, seconds, skipped }: ProofTotals): string {
  const seeds = results.map(({ seed }) => seed)
  const failed = results.filter((result) => result.failed > 0)
  return `
## ${proof.row}: ${verdict}

${proof.promise}

- Ran ${proof.files.map((file) => `\`${file}\``).join(', ')} at scale ${proof.scale}: ${results.length} of ${proof.parts} parts, ${duration(seconds)}.
- Seeds ${Math.min(...seeds)} to ${Math.max(...seeds)}.
${[...figures].map(([label, counted]) => `- ${label}: ${Object.entries(counted).map(shown).join(', ')}.\n`).join('')}${skipped
  .map((reason) => `- Left out: ${reason}.\n`)
  .join('')}${failed.map((result) => failure(proof, result)).join('')}`
}

function shown([name, value]: [string, number]): string {
  return `${name} ${value.toLocaleString('en', { maximumFractionDigits: 1 })}`
}

function failure(proof: ProofDefinition, result: ProofTotals['results'][number]): string {
  return `
Part ${result.part} failed; \`${repetition(proof, result)}\` repeats it.

\`\`\`text
${result.failures.join('\n')}
\`\`\`
`
}

/** Returns the shell command that runs one part of a proof again. */
export function repetition(
  { files }: ProofDefinition,
  { scale, seed }: { readonly scale: number; readonly seed: number },
) {
  return `DAYBOOK_TEST_SCALE=${scale} DAYBOOK_TEST_SEED=${seed} npm test -- ${files.join(' ')}`
}

function commit(): string {
  try {
    const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
    const changed = git('status', '--porcelain', '--', ':!docs') !== ''
    return `commit ${git('rev-parse', '--short=12', 'HEAD')}${changed ? ' with changes' : ''}`
  } catch {
    return 'no commit'
  }
}

/** Returns the type and device of the file system on which tests store their data. */
function disk(): string {
  if (!existsSync('/proc/mounts')) return 'unknown'
  const folder = realpathSync(tmpdir())
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, at = '-']) => folder === at || folder.startsWith(at.endsWith('/') ? at : `${at}/`))
    .sort(([, one = ''], [, other = '']) => other.length - one.length)
  const [[device, , kind] = []] = mounts
  return `${kind} on ${device}`
}

function sqliteVersion(): string {
  const database = new DatabaseSync(':memory:')
  const row = database.prepare('select sqlite_version() as version').get()
  database.close()
  return String(row?.version)
}

async function postgresVersion(databaseUrl: string): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const { rows } = await client.query(
    "select current_setting('server_version') || ', fsync ' || current_setting('fsync')",
  )
  await client.end()
  return String(Object.values(rows[0] ?? {})[0])
}
