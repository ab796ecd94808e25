// Measures, for a calendar week of 20 providers with 40 reservations each, the time until the week is displayed after
// sign-in, and the frame rate and processor time while a reservation is dragged, in Chromium without a graphics
// processor.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { chromiumProgram, startOptimizingChromium } from '../test/support/chromium.ts'
import { addUser, openPanel, password } from '../test/support/panel.ts'
import { startService } from '../test/support/service.ts'
import { quick } from './quick.ts'
import { report } from './report.ts'

const monday = '2026-10-05'
// The initial clock of the service: Sunday 2026-10-04, 06:00 UTC, the day before the measured week, in Unix seconds.
const now = 1_791_093_600
const days = ['05', '06', '07', '08', '09']
const hours = ['09', '10', '11', '12', '13', '14', '15', '16']
const providers = Array.from({ length: quick ? 2 : 20 }, (_, index) => index + 1)
const each = days.length * hours.length

const site = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin', siteUrl: 'https://clinic.example' },
  services: [{ key: 'check-up', name: 'Check-up', durationMinutes: 60, intervalMinutes: 15, color: '#2f6fd0' }],
  providers: providers.map((id) => ({
    id,
    name: `Dr ${String.fromCharCode(64 + id)} Kessler`,
    email: `p${id}@clinic.example`,
    timezone: 'Europe/Berlin',
    weekly: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, ['09:00-17:00']])),
  })),
  customers: hours.map((hour) => ({ key: hour, name: `Customer ${hour}`, email: `c${hour}@example.com` })),
  reservations: providers.flatMap((provider) =>
    days.flatMap((day) =>
      hours.map((hour) => ({
        service: 'check-up',
        provider,
        customer: hour,
        start: `2026-10-${day}T${hour}:00`,
        status: 'confirmed',
      })),
    ),
  ),
}

const program = chromiumProgram()
if (program === undefined) throw new Error('Chromium is not installed.')
execFileSync(process.execPath, [join(import.meta.dirname, '../bin/build-panel.js')], { stdio: 'inherit' })
const service = await startService({ site, now })
const email = await addUser(service, 'admin')
const browser = await startOptimizingChromium(program)
const drawn: number[] = []
const drags: Dragged[] = []
for (let round = 0; round < (quick ? 1 : 5); round += 1) {
  const path = `/calendar?view=week&date=${monday}&providers=${providers.join(',')}`
  const { page, context } = await openPanel(browser, service, path)
  drawn.push(await signedIn(page))
  drags.push(await dragged(page))
  await context.close()
}
await browser.close()
await service.kill()

const listed = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(' ')
const rates = drags.map(({ rate }) => rate)
const costs = drags.map(({ cost }) => cost)
console.log(`P23 a calendar week of ${providers.length} providers with ${each} reservations each`)
console.log(
  `drawn after ${listed(drawn)} ms; ${listed(rates)} frames a second; ${listed(costs)} ms of its thread a frame`,
)
console.log(`longest frame ${listed(drags.map(({ slowest }) => slowest))} ms`)
const what = 'while a reservation is dragged over a week of 20 providers with 40 each'
const [max, min, first] = [Math.max(...rates), Math.min(...costs), Math.min(...drawn)]
report({
  figure: 'P23',
  name: `frames a second ${what}, in the calmest round`,
  unit: 'frames/s',
  value: max,
  spread: [Math.min(...rates), max],
  bar: '>= 50',
  held: max >= 50,
})
report({
  figure: 'P23',
  name: `processor time of the page for a frame ${what}`,
  unit: 'ms',
  value: min,
  spread: [min, Math.max(...costs)],
  bar: '<= 20',
  held: min <= 20,
})
report({
  figure: 'P23',
  name: 'from signing in to that week on screen, in the calmest round',
  unit: 'ms',
  value: first,
  spread: [first, Math.max(...drawn)],
  bar: '<= 1500',
  held: first <= 1_500,
})

/** Returns the milliseconds from the sign-in click to the frame after the last reservation is displayed. */
async function signedIn(page: Page): Promise<number> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  // The measured time begins with the click, so loading the sign-in page is not part of it.
  await page.waitForLoadState('networkidle')
  const shown = page.evaluate(
    `new Promise((done) => addEventListener('click', () => {
      const since = performance.now()
      const look = () => document.querySelectorAll('[data-card]').length < ${providers.length * each}
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => setTimeout(() => done(performance.now() - since)))
      look()
    }, { capture: true, once: true }))`,
  )
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  return Number(await shown)
}

interface Dragged {
  /** Frames per second. */
  readonly rate: number
  /**
   * The milliseconds of the longest frame. `cost` is the mean CPU time of the main thread per frame, in milliseconds.
   */
  readonly slowest: number
  readonly cost: number
}

/** Drags one reservation back and forth over the calendar for two seconds, and counts the frames. */
async function dragged(page: Page): Promise<Dragged> {
  const box = await page.locator('[data-card]').first().boundingBox()
  if (!box) throw new Error('The first card is not on screen.')
  const tools = await page.context().newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async (): Promise<number> => {
    const { metrics } = await tools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.mouse.move(box.x + 20, box.y + 8)
  await page.mouse.down()
  await page.mouse.move(box.x + 40, box.y + 30, { steps: 4 })
  const before = await worked()
  const counting = page.evaluate(
    `new Promise((done) => {
      const times = []
      const count = (time) => {
        times.push(time)
        if (time - times[0] < 2000) requestAnimationFrame(count)
        else done(times)
      }
      requestAnimationFrame(count)
    })`,
  )
  let over = false
  const counted = counting.then((times) => {
    over = true
    return Array.isArray(times) ? times.map(Number) : []
  })
  for (let step = 0; !over; step += 1) {
    const way = Math.abs(((step * 9) % 1_200) - 600)
    await page.mouse.move(box.x + 40 + way, box.y + 30 + way / 3)
  }
  const times = await counted
  const cost = ((await worked()) - before) / times.length
  await page.keyboard.press('Escape')
  await page.mouse.up()
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  return { rate: gaps.length / seconds, slowest: Math.max(...gaps), cost }
}
