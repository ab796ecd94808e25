import { answerOf, runBare } from './bare.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { requestText } from './load.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { compareCpuTimes, cpuTimesLine } from './shares.ts'

const bar = 0.85
// Multiplies the number of requests. A 200 takes about twenty microseconds and a 304 only a few microseconds less, so a
// reliable comparison needs more requests.
const repetitions = 5
const site = await makeClinic(1)
const service = await run(site, site.env)
const path = availabilityPath(site, 'direct', 1)
const answer = await answerOf(service, path, site.token)
const { headers, body } = answer
const bare = await runBare(site.token, [answer])
const whole = requestText('GET', path, site.token)
const unchanged = whole.replace('\r\n\r\n', `\r\nIf-None-Match: ${headers.etag}\r\n\r\n`)
const [full, short, bareFull, bareShort] = await compareCpuTimes(
  [
    { name: '200', server: service, next: () => whole },
    { name: '304', server: service, next: () => unchanged },
    { name: 'bare 200', server: bare, next: () => whole },
    { name: 'bare 304', server: bare, next: () => unchanged },
  ],
  repetitions,
)
await service.stop()
await bare.stop()
if (full && short && bareFull && bareShort) {
  const value = short.min / full.min
  const name = `304 against a 200 of ${Math.round(body.length / 1000)} KB`
  console.log(`P7  ${name}`)
  console.log(cpuTimesLine('200', full))
  console.log(cpuTimesLine('304', short))
  console.log(`ratio ${value.toFixed(2)} (bar: at most ${bar})`)
  console.log(cpuTimesLine('bare 200', bareFull))
  console.log(cpuTimesLine('bare 304', bareShort))
  console.log(`ratio ${(bareShort.min / bareFull.min).toFixed(2)} of a server that does nothing else (no bar)`)
  const spread = [short.min / full.median, short.median / full.min] as const
  report({ figure: 'P7', name, unit: 'of the cost', value, spread, bar: `<= ${bar}`, held: value <= bar })
  if (value > bar) process.exitCode = 1
}
