import { answerOf } from './bare.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { requestText } from './load.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { contest, spentLine } from './shares.ts'

const bar = 0.85
const site = await makeClinic(1)
const service = await run(site, site.env)
const path = availabilityPath(site, 'direct', 1)
const { headers, body } = await answerOf(service, path, site.token)
const whole = requestText('GET', path, site.token)
const unchanged = whole.replace('\r\n\r\n', `\r\nIf-None-Match: ${headers.etag}\r\n\r\n`)
const [full, short] = await contest([
  { name: '200', server: service, next: () => whole },
  { name: '304', server: service, next: () => unchanged },
])
await service.stop()
if (full && short) {
  const value = short.least / full.least
  const name = `304 against a 200 of ${Math.round(body.length / 1000)} KB`
  console.log(`P7  ${name}`)
  console.log(spentLine('200', full))
  console.log(spentLine('304', short))
  console.log(`ratio ${value.toFixed(2)} (bar: at most ${bar})`)
  const spread = [short.least / full.median, short.median / full.least] as const
  report({ figure: 'P7', name, unit: 'of the cost', value, spread, bar: `<= ${bar}`, held: value <= bar })
  if (value > bar) process.exitCode = 1
}
