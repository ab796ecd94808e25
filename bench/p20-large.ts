import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../test/support/scale.ts'
import { from } from './clinic.ts'
import { availabilityPath, makeClinic } from './clinic-site.ts'
import { quick } from './quick.ts'
import { report, reportGrowth } from './report.ts'
import { run } from './server.ts'

// Measures a request for a week of availability of a thousand providers: the time to its first byte, the duration of
// the slowest small request of another client meanwhile, and the memory of the service.
const providers = quick ? 20 : 1_000
const week = { from, until: from + 7 * 86_400 }
const site = await makeClinic(providers)
const service = await run(site, site.env)
const base = `http://${service.host}:${service.port}/api/v1`
const headers = { Authorization: `Bearer ${site.token}`, 'Accept-Encoding': 'identity' }

for (let time = 0; time < 50; time += 1) await (await fetch(`${base}/services/get/`, { headers })).text()
await pause(1_000)
const rest = service.memory()
let peak = 0
for (const kind of ['cold', 'repeated'] as const) {
  const { size, took, first, slowest } = await measured(providers)
  const name = `${providers} providers × 7 days, ${Math.round(size / 1e6)} MB, ${kind}`
  console.log(`P20 ${name}: ${took.toFixed(0)} ms, first byte ${first.toFixed(0)} ms, others ${slowest.toFixed(0)} ms`)
  tell(`${name}: slowest other request`, 'ms', slowest, 50)
  tell(`${name}: first byte`, 'ms', first, 150)
}
tell(`${providers} providers × 7 days: memory above rest`, 'MB', peak - rest, 150)
await pause(quick ? 100 : 60_000)
tell(`${providers} providers × 7 days: memory above rest a minute later`, 'MB', service.memory() - rest, 100)
const growth: (readonly [number, number])[] = []
for (const count of quick ? [1, providers] : [1, 10, 30, 100, 300, providers]) {
  await measured(count)
  // The median of five, since one pause of the machine is longer than what is measured.
  const slowest: number[] = []
  for (let time = 0; time < 5; time += 1) slowest.push((await measured(count)).slowest)
  growth.push([count, median(slowest)])
}
reportGrowth({
  figure: 'P20',
  name: 'slowest other request meanwhile',
  x: 'providers in one answer of 7 days',
  y: 'ms',
  points: growth,
})
await service.stop()

/**
 * Requests a week of availability of some providers while another client sends small requests. Returns the size of the
 * response in bytes, and in milliseconds its duration, the time to its first byte and the slowest small request.
 */
async function measured(count: number) {
  let going = true
  let slowest = 0
  const others = (async () => {
    while (going) {
      const since = performance.now()
      await (await fetch(`${base}/services/get/`, { headers })).text()
      slowest = Math.max(slowest, performance.now() - since)
      peak = Math.max(peak, service.memory())
    }
  })()
  await pause(200)
  slowest = 0
  const since = performance.now()
  const answer = await fetch(base + availabilityPath(site, 'direct', count, week), { headers })
  let first = 0
  let size = 0
  for await (const part of answer.body ?? []) {
    first ||= performance.now() - since
    size += part.length
  }
  const took = performance.now() - since
  going = false
  await others
  return { size, took, first, slowest }
}

function tell(name: string, unit: string, value: number, bar: number): void {
  const held = value <= bar
  report({ figure: 'P20', name, unit, value, spread: [value, value], bar: `<= ${bar} ${unit}`, held })
  if (!held) process.exitCode = 1
}
