import { setTimeout as pause } from 'node:timers/promises'
import { freshFolder } from '../test/support/daybook.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run } from './server.ts'

const bars = { ready: 500, rest: 140 }
const [ready, rest]: [number[], number[]] = [[], []]
// The first start is not measured: it fills the cache of compiled code, which the measured starts use.
await (await run({ dataDir: freshFolder() })).stop()
for (let time = 0; time < (quick ? 1 : 5); time += 1) {
  const since = performance.now()
  const server = await run({ dataDir: freshFolder() })
  ready.push(performance.now() - since)
  let min = server.memory()
  for (let look = 0; look < (quick ? 1 : 20); look += 1) {
    await pause(200)
    min = Math.min(min, server.memory())
  }
  rest.push(min)
  await server.stop()
}
console.log('P19 an empty site')
for (const [name, unit, taken, bar] of [
  ['start to ready, best of five', 'ms', ready, bars.ready],
  ['memory at rest', 'MB', rest, bars.rest],
] as const) {
  const value = Math.min(...taken)
  console.log(`${name}: ${taken.map((one) => one.toFixed(0)).join(', ')} ${unit}`)
  report({
    figure: 'P19',
    name,
    unit,
    value,
    spread: [value, Math.max(...taken)],
    bar: `<= ${bar}`,
    held: value <= bar,
  })
}
