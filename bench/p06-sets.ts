import { answerOf } from './bare.ts'
import { days, from } from './clinic.ts'
import { availabilityPathOf, makeClinic } from './clinic-site.ts'
import { requestText } from './load.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { run } from './server.ts'
import { compareCpuTimes, cpuTimesLine } from './shares.ts'

// Compares the processor time of two kinds of requests for the availability of ten of fifty providers. In the first
// kind, every request names another ten providers, as in a directory that shows different providers to each visitor. In
// the second kind, every request names the same ten.
const providers = 50
const some = 10
const bar = 3
const sets = quick ? 20 : 20_000

const site = await makeClinic(providers)
const service = await run(site, site.env)
for (const length of [7, days]) {
  const window = { from, until: from + length * 86_400 }
  const texts = Array.from({ length: sets }, (_, index) =>
    requestText('GET', availabilityPathOf(site, 'direct', chosen(index), window), site.token),
  )
  const again = requestText('GET', availabilityPathOf(site, 'direct', chosen(0), window), site.token)
  const { body } = await answerOf(service, availabilityPathOf(site, 'direct', chosen(0), window), site.token)
  let asked = 0
  const [same, another] = await compareCpuTimes(
    [
      { name: 'the same set', server: service, next: () => again },
      { name: 'another set', server: service, next: () => texts[asked++ % sets] ?? '' },
    ],
    0.25,
  )
  if (!same || !another) throw new Error('Nothing was measured.')
  const name = `another 10 of 50 providers every request, ${length} days, ${Math.round(body.length / 1000)} KB`
  const value = another.min / same.min
  console.log(`P6  ${name}`)
  console.log(cpuTimesLine('the same set', same))
  console.log(cpuTimesLine('another set', another))
  report({
    figure: 'P6',
    name,
    unit: 'times the same set',
    value,
    spread: [another.median / same.median, another.max / same.min],
    bar: `<= ${bar}`,
    held: value <= bar,
  })
  if (value > bar) process.exitCode = 1
}
await service.stop()

/** Returns the ids of ten providers, derived from `index` by a linear congruential generator. */
function chosen(index: number): readonly number[] {
  const ids = new Set<number>()
  for (let next = index * 7919 + 1; ids.size < some; next = (next * 48_271) % 2_147_483_647)
    ids.add(1 + (next % providers))
  return [...ids].sort((one, other) => one - other)
}
