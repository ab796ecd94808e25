// Measures, for the booking page, the processor time of the service for a month page that was requested before, and the
// main-thread time of the browser for a change of month.
import type { Page } from 'playwright-core'
import { chromiumProgram, startOptimizingChromium } from '../test/support/chromium.ts'
import { startService } from '../test/support/service.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'
import { threadTimes } from './server.ts'

// The initial clock of the service: Monday 2026-10-05, 06:00 UTC, in Unix seconds.
const now = 1_791_180_000
const rounds = quick ? 2 : 7
const pages = quick ? 5 : 200
const switches = quick ? 1 : 10

const site = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin', siteUrl: 'https://clinic.example' },
  services: [{ key: 'check-up', name: 'Check-up', durationMinutes: 30, horizonDays: 120 }],
  providers: Array.from({ length: 6 }, (_, index) => ({
    id: index + 1,
    name: `Dr ${String.fromCharCode(65 + index)} Kessler`,
    email: `p${index + 1}@clinic.example`,
    timezone: 'Europe/Berlin',
    weekly: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, ['09:00-17:00']])),
  })),
}

const program = chromiumProgram()
if (program === undefined) throw new Error('Chromium is not installed.')
const service = await startService({ site, now })
const url = `${service.url}/book/check-up/?with=any&month=2026-11`
const browser = await startOptimizingChromium(program)
const rendered: number[] = []
const switched: number[] = []
for (let round = 0; round <= rounds; round += 1) {
  const [page, change] = [await monthPages(), await monthSwitches()]
  // The first round is not counted, since it compiles the code and fills the caches.
  if (round === 0) continue
  rendered.push(page)
  switched.push(change)
}
await browser.close()
await service.kill()

console.log(
  `P25 ms of the service for a month page: ${listed(rendered)}; of the browser for a switch: ${listed(switched)}`,
)
const [page, change] = [Math.min(...rendered), Math.min(...switched)]
report({
  figure: 'P25',
  name: 'a warm month page of six providers, processor time of the service, all threads',
  unit: 'ms',
  value: page,
  spread: [page, Math.max(...rendered)],
  bar: '<= 2',
  held: page <= 2,
})
report({
  figure: 'P25',
  name: 'a change of month on that page, main-thread time of the browser',
  unit: 'ms',
  value: change,
  spread: [change, Math.max(...switched)],
  bar: '<= 100',
  held: change <= 100,
})

function listed(values: readonly number[]): string {
  return values.map((value) => value.toFixed(2)).join(' ')
}

/** Returns the CPU milliseconds of all threads of the service for one month page. */
async function monthPages(): Promise<number> {
  const before = await spent()
  for (let count = 0; count < pages; count += 1) {
    const response = await fetch(url)
    const text = await response.text()
    if (!text.includes('class="day free')) throw new Error(`No month: ${response.status}`)
  }
  return ((await spent()) - before) / pages
}

async function spent(): Promise<number> {
  return [...(await threadTimes(service.pid ?? 0)).values()].reduce((sum, milliseconds) => sum + milliseconds, 0)
}

/** Returns the CPU milliseconds of the browser's main thread for one change of month. */
async function monthSwitches(): Promise<number> {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', locale: 'en-GB' })
  const shown = await context.newPage()
  await shown.goto(url)
  await shown.waitForLoadState('networkidle')
  const tools = await context.newCDPSession(shown)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async (): Promise<number> => {
    const { metrics } = await tools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await worked()
  for (let count = 0; count < switches; count += 1)
    await go(shown, count % 2 === 0 ? ['Next month', 'December 2026'] : ['Previous month', 'November 2026'])
  const after = await worked()
  await context.close()
  return (after - before) / switches
}

async function go(shown: Page, [link, heading]: readonly [string, string]): Promise<void> {
  await shown.getByRole('link', { name: link }).click()
  await shown.getByRole('heading', { name: heading, exact: true }).waitFor()
}
