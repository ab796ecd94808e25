import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { documents as documentsOfCode } from '../src/cli/framework/documents.ts'
import { refusals } from '../src/contract/errors.ts'
import { publicApi } from '../src/contract/public-api.ts'
import { freshFolder } from './support/daybook.ts'
import { databaseUrl, dropDatabase, postgresServer } from './support/postgres.ts'
import { proofGuide } from './support/proof-page.ts'
import { timeLimitFactor } from './support/scale.ts'
import { type ServiceProcess, startService } from './support/service.ts'

const documents = globSync(['*.md', 'docs/**/*.md'])
// The clock of a service whose first free slot is booked is a day behind, so that the slot remains bookable while the
// commands run: at the real time, the notice that the service requires could pass in between.
const yesterday = Math.floor(Date.now() / 1000) - 86_400

test('the first booking of the README works as written', { timeout: 600_000 }, async () => {
  const service = await startService({ now: yesterday })
  const script = blocks(section(readFileSync('README.md', 'utf8'), 'A first booking'), 'bash').join('\n')
  const asWritten = script.replace('http://127.0.0.1:8080', service.url)
  assert.notEqual(asWritten, script, 'the README names the address that the service has by default')

  const { stdout, stderr } = await runShell(asWritten, service)

  assert.match(stdout, /"name":"First steps","scopes":\["read","write"\]/, stderr)
  assert.match(stdout, /"availabilityId":"[^"]+","serviceId":"s_/)
  assert.match(stdout, /"status":"confirmed"/)
  assert.match(stdout, /"status":"KO","code":403,.*"reason":"slot_full"/)
  assert.match(stdout, /reservation\.created\nreservation\.cancelled\n$/)
})

for (const [path, text] of [...(await documentsOfCode()), ['docs/proof/README.md', proofGuide()] as const]) {
  test(`${path} is what "npm run docs" writes`, () => assert.equal(readFileSync(path, 'utf8'), text))
}

test('the commands of the operations guide work as written', { timeout: 600_000 }, async (context) => {
  const service = await startService()
  const text = readFileSync('docs/operations.md', 'utf8')
  // A shell function replaces npx, because starting npm for each command would take most of the time; the test of the
  // README's first booking runs npx itself.
  const npx = 'npx() { local name=$1; shift; node "bin/$name.js" "$@"; }'
  const script = [npx, ...blocks(text, 'bash')].join('\n')
  await runShell(script.replaceAll('http://127.0.0.1:8080', service.url), service)
  const left = [...text.matchAll(/^```text not run: (.+)$/gm)].map(([, reason]) => reason)
  context.diagnostic(`${left.length} blocks of docs/operations.md were not run: ${left.join('; ')}`)
})

test('an installation by the operations guide returns its first slot within 20 seconds', {
  timeout: 600_000,
}, async (context) => {
  const folder = freshFolder()
  for (const name of ['bin', 'src', 'web', 'package.json', 'package-lock.json', '.npmrc', 'tsconfig.json'])
    cpSync(name, join(folder, name), { recursive: true })
  const [block = ''] = blocks(readFileSync('docs/operations.md', 'utf8'), 'bash to install')
  const [first, ...rest] = block.trim().split('\n')
  // The test copies the repository's installed packages instead of running `npm ci`, which takes a minute of processor
  // time, and then runs the other commands of the guide.
  assert.equal(first, 'npm ci')
  // The variable with which the test command shares a cache of compiled code is removed, so that the installation has
  // its own cache.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const shell = (script: string) => promisify(execFile)('bash', ['-ec', script], { cwd: folder, env })
  await shell(
    `mkdir node_modules && tar -C ${resolve('node_modules')} --exclude=./.cache -c . | tar -C node_modules -x`,
  )
  await shell(['npm run --silent postinstall', ...rest].join('\n'))

  const since = performance.now()
  const service = spawn(
    join(folder, 'node_modules', '.bin', 'node'),
    ['bin/daybook.js', 'serve', '--demo', '--port', '0', '--data-dir', join(folder, 'data')],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  context.after(() => service.kill('SIGKILL'))
  let said = ''
  for await (const text of service.stdout.setEncoding('utf8')) {
    said += text
    if (/^curl .*availability.*\n/m.test(said)) break
  }
  const curl = /^curl .*availability.*$/m.exec(said)?.[0] ?? ''
  const { stdout } = await shell(curl)
  const seconds = (performance.now() - since) / 1000
  const busy = processorSeconds(service.pid)
  context.diagnostic(`first slot ${seconds.toFixed(1)} s after the installation, processor ${busy?.toFixed(1)} s`)
  assert.match(stdout, /"response":\[\{"availabilityId":/)
  // The processor time of the service is limited as well as the elapsed time, because other work on the machine affects
  // only the elapsed time.
  assert.ok((busy ?? 0) < 20, `${busy} s of processor time`)
  assert.ok(seconds < 20 * Math.min(timeLimitFactor, 4), `${seconds} s`)
  // The service uses the cache of compiled code that the installation filled. A thread or process with other flags of
  // V8 would add a second folder to the cache.
  assert.equal(readdirSync(join(folder, 'node_modules', '.cache', 'daybook')).length, 1)
})

/** Returns the processor time that a process and its threads have used, in seconds; undefined outside Linux. */
function processorSeconds(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux') return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The fields 14 and 15 are the ticks (1/100 s) in user and kernel mode; the name in field 2 may contain blanks.
  const [user = 0, kernel = 0] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  return (user + kernel) / 100
}

const postgres = await postgresServer()

test('the migration to PostgreSQL works as the operations guide describes', {
  skip: postgres ? false : 'no PostgreSQL server here',
  timeout: 600_000,
}, async () => {
  assert.ok(postgres)
  const service = await startService({ site: JSON.parse(readFileSync('examples/clinic.json', 'utf8')) })
  await service.stop()
  const [script = ''] = blocks(readFileSync('docs/operations.md', 'utf8'), 'bash with PostgreSQL')
  const { host, hostname, port, username } = new URL(postgres.url)
  const asWritten = script.replaceAll('127.0.0.1:5432', host)
  assert.notEqual(asWritten, script)
  const { stdout } = await runShell(asWritten, service, { PGHOST: hostname, PGPORT: port, PGUSER: username })
  assert.match(stdout, /compared every value: 3 services/)
  await dropDatabase(postgres, databaseUrl(postgres, 'daybook'))
})

test('the samples of the integrators’ guide work in order, as written', {
  timeout: 600_000,
}, async () => {
  const site = JSON.parse(readFileSync('examples/clinic.json', 'utf8'))
  const service = await startService({ site, now: yesterday })
  const text = readFileSync('docs/integrators.md', 'utf8')
  const said = await runNode('module', blocks(text, 'js').join('\n'), service)
  for (const expected of [
    /scopes: \[ 'read', 'write' \]/,
    /\(Europe\/Berlin\)$/m,
    /^true true$/m,
    /^403 slot_full$/m,
    /^\{ status: 'OK' \}$/m,
    /^\[ 'reservation.created', 'reservation.cancelled' \]$/m,
    /^1 2 </m,
    /^400 missing_parameter \{ email: /m,
    /^401 rest_forbidden missing_token$/m,
  ]) {
    assert.match(said, expected)
  }
  const typed = blocks(text, 'ts').join('\n').replace('http://127.0.0.1:8080', service.url)
  assert.match(await runNode('module-typescript', typed, service), /'Check-up'/)
})

test('the integrators’ guide explains every reason and code', () => {
  const text = readFileSync('docs/integrators.md', 'utf8')
  const reasons = Object.keys(refusals).filter((code) => code !== 'nothing_named')
  assert.deepEqual(
    reasons.filter((reason) => !new RegExp(`^\\|.*\`${reason}\``, 'm').test(text)),
    [],
  )
})

test('the contract document lists every endpoint, and no other', () => {
  const listed = [...readFileSync('docs/contract.md', 'utf8').matchAll(/^\| `((?:GET|POST) [^`]+)`/gm)].map(
    ([, row]) => row,
  )
  assert.deepEqual(listed, Object.keys(publicApi))
})

for (const path of documents) {
  test(`${path} links only to existing targets`, () => {
    const targets = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target)
    const broken = targets.filter((target) => !/^https?:/.test(target) && !existsSync(join(dirname(path), target)))
    assert.deepEqual(broken, [])
  })
}

describe('a decision page', () => {
  const pages = globSync('docs/decisions/*.md').sort()
  for (const [index, path] of pages.entries()) {
    test(`${path} has its number, context, decision and consequences, and fits on a page`, () => {
      const text = readFileSync(path, 'utf8')
      const number = String(index + 1).padStart(4, '0')
      assert.match(text, new RegExp(`^# ${number} `))
      assert.deepEqual(text.match(/^## .*/gm), ['## Context', '## Decision', '## Consequences'])
      assert.ok(text.split('\n').length <= 60)
    })
  }
})

function runShell(
  script: string,
  service: ServiceProcess,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    env: {
      ...process.env,
      PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}`,
      DAYBOOK_DATA_DIR: service.dataDir,
      ...environment,
    },
  })
}

/**
 * Runs JavaScript or TypeScript in the folder `docs` with the address and write token of a service, and returns what it
 * prints on stdout.
 */
async function runNode(kind: string, code: string, service: ServiceProcess): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [`--input-type=${kind}`, '--eval', code], {
    cwd: 'docs',
    env: { ...process.env, DAYBOOK_API: service.root, DAYBOOK_TOKEN: service.writeToken },
  })
  return stdout
}

/** Returns a section of a Markdown document, up to the next heading of level 2. */
function section(markdown: string, heading: string): string {
  const found = markdown.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  assert.ok(found, `there is a section "${heading}"`)
  return found
}

function blocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  )
}
