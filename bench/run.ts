// The benchmarks: `npm run bench` runs every file whose name begins like `p08-`, `npm run bench -- p08 p14` only these.
// Their figures are printed and written to docs/benchmarks.md. With `--quick` each file only checks that it runs, and
// nothing is written.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Measured, page, pictureName, terminalLine, updated } from './page.ts'
import { picture } from './picture.ts'
import type { Growth, Reported } from './report.ts'

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const docs = join(import.meta.dirname, '../docs')
const files = globSync(join(import.meta.dirname, 'p*.ts'))
  .filter((file) => /^p\d\d-/.test(basename(file)))
  .filter((file) => positionals.length === 0 || positionals.some((name) => basename(file).startsWith(name)))
  .sort()

const failed: string[] = []
const measured: { figures: Measured['figures'][number][]; growths: Measured['growths'][number][] } = {
  figures: [],
  growths: [],
}
for (const file of files) await measure(file)
if (!values.quick) write()
console.log(`\n${measured.figures.map(terminalLine).join('\n')}`)
for (const file of failed) console.log(`FAILED: ${file} ended with an error.`)
if (files.length === 0) console.log('No benchmark begins like that.')
process.exitCode =
  failed.length > 0 || files.length === 0 || measured.figures.some(({ held }) => !held && !values.quick) ? 1 : 0

async function measure(file: string): Promise<void> {
  const name = basename(file, '.ts')
  const origin = { file: name, date: new Date().toISOString().slice(0, 10), machine: machine() }
  const { code, lines } = await printed(file)
  let figures = 0
  for (const line of lines) {
    if (line.startsWith('figure ')) {
      figures += 1
      const figure: Reported = JSON.parse(line.slice('figure '.length))
      measured.figures.push({ ...figure, ...origin })
    } else if (line.startsWith('growth ')) {
      const growth: Growth = JSON.parse(line.slice('growth '.length))
      measured.growths.push({ ...growth, ...origin })
    } else if (line.trim() !== '') console.log(line)
  }
  const missed = measured.figures.some((one) => one.file === name && !one.held)
  // A benchmark that misses a target may exit with an error code. Any other error code, or a benchmark without figures,
  // is a failure.
  if (figures === 0 || (code !== 0 && !missed)) failed.push(name)
}

function printed(file: string): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((done) => {
    const env = { ...process.env, ...(values.quick && { DAYBOOK_BENCH_QUICK: '1' }) }
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => (text += part))
    child.on('close', (code) => done({ code, lines: text.split('\n') }))
  })
}

function machine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} processors (${first?.model ?? 'unknown'}), ${memory} GB, ${process.platform}, Node ${process.versions.node}, SQLite ${process.versions.sqlite}`
}

function write(): void {
  const stored = join(docs, 'benchmarks.json')
  const { figures, growths }: Measured = JSON.parse(readFileSync(stored, 'utf8'))
  // When a benchmark's file was removed, its stored figures are removed too.
  const exists = ({ file }: { readonly file: string }) => existsSync(join(import.meta.dirname, `${file}.ts`))
  const known = updated({ figures: figures.filter(exists), growths: growths.filter(exists) }, measured)
  writeFileSync(stored, `${JSON.stringify(known, null, 2)}\n`)
  writeFileSync(join(docs, 'benchmarks.md'), page(known))
  for (const growth of known.growths) {
    const file = join(docs, pictureName(growth))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, picture(growth))
  }
}
