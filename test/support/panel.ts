import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { hashPassword } from '../../src/access/passwords/password-hash.ts'
import type { UserRole } from '../../src/access/users/user.ts'
import { chromiumProgram, startChromium } from './chromium.ts'
import { freshFolder } from './daybook.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { openSql } from './sql.ts'

/** The password of all users of these tests. */
export const password = 'correct horse battery staple'

/** The appearance of the browser. */
export interface Look {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
  readonly hasTouch?: boolean
  /** Opens the page with its own cookies and cache, for a test that signs out or changes what the next test sees. */
  readonly alone?: boolean
  /** Shows transitions, as browsers do unless the user prefers none. */
  readonly motion?: boolean
  /** The address of the user who is signed in before the page opens; the form has its own tests. */
  readonly as?: string
}

/** An open panel with the errors that the browser reported. */
export interface Panel {
  readonly page: Page
  /** The browser context of the page. For a page that shares its context, closing it closes the page only. */
  readonly context: Pick<BrowserContext, 'close' | 'addCookies' | 'clearCookies' | 'cookies'>
  /** Errors in the console, such as violations of the content policy, and requests to other origins. */
  readonly wrong: string[]
}

/** Starts a service with an administrator, a manager and this provider as users, and a browser. */
export async function openOffice(
  options: ServiceOptions,
  providerId: number,
): Promise<{ service: Service; browser: Browser }> {
  const service = await startService(options)
  try {
    await addUser(service, 'admin')
    await addUser(service, 'manager')
    await addUser(service, 'provider', providerId)
    return { service, browser: await startChromium(chromiumProgram() ?? '') }
  } catch (error) {
    await service.kill()
    throw error
  }
}

/** Inserts a user with the password of these tests into the database; returns the address. */
export async function addUser(service: Service, role: UserRole, providerId?: number): Promise<string> {
  const email = `${role}@clinic.example`
  const sql = openSql(service)
  hashed ??= hashPassword(password)
  await sql(
    `insert into person (id, email, email_key, role, provider_id, name, password_hash, status, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, 'active', 0, 0)`,
    [`u_${role}`, email, email, role, providerId ?? null, role, await hashed],
  )
  await sql.close()
  return email
}

let hashed: Promise<string> | undefined

/** Books the first time of the service `plain` that is free in a day for Jo, through the API; returns the reservation's id. */
export async function bookFirst(service: Service): Promise<string> {
  const idOf = async (path: string, name: string) =>
    (await service.call('GET', path)).body.response.find((row) => row.name === name)?.id
  const [serviceId, customerId] = [await idOf('/services/get/', 'plain'), await idOf('/customers/get/', 'Jo')]
  const clock = Math.floor(Date.now() / 1000)
  const window = { min_timestamp: clock + 86_400, max_timestamp: clock + 8 * 86_400 }
  const slots = await service.call('GET', '/availability/get/', { query: { ...window, services: String(serviceId) } })
  const { availabilityId, providerId, start, end } = Object(slots.body.response[0])
  const body = { serviceId, customerId, providerId, availabilityId, start, end }
  return (await service.call('POST', '/reservations/add/', { body })).body.id
}

/** Opens a path of the panel. Pages with the same appearance and user share cookies and cache. */
export async function openPanel(
  browser: Browser,
  service: Pick<Service, 'url'>,
  path: string,
  look: Look = {},
): Promise<Panel> {
  const { as } = look
  const shared = as !== undefined && !look.alone
  const own = shared ? await sharedContext(browser, service, look) : await newContext(browser, service, look)
  const page = await own.newPage()
  const wrong: string[] = []
  page.on('console', (message) => {
    // The browser reports every refused request; expected refusals are asserted where they occur.
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) wrong.push(message.text())
  })
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(?:data|blob):/.test(request.url())) wrong.push(request.url())
  })
  await page.goto(`${service.url}/admin${path}`)
  if (as !== undefined) await page.getByRole('navigation').first().waitFor()
  const context = shared ? { ...bound(own), close: () => closePage(page) } : own
  return { page, context, wrong }
}

function bound(context: BrowserContext): Panel['context'] {
  return {
    close: () => context.close(),
    addCookies: (cookies) => context.addCookies(cookies),
    clearCookies: (options) => context.clearCookies(options),
    cookies: (urls) => context.cookies(urls),
  }
}

/** Closes the page of a shared context and resets choices such as the language. */
async function closePage(page: Page): Promise<void> {
  await page.evaluate('localStorage.clear()')
  await page.close()
}

interface Shared {
  readonly context: Promise<BrowserContext>
  readonly since: number
}

/** Milliseconds for which a context is shared: its proof of identity, valid for five minutes, must not expire. */
const sharedFor = 120_000
const sharedOf = new WeakMap<Browser, Map<string, Shared>>()

function sharedContext(browser: Browser, service: Pick<Service, 'url'>, look: Look): Promise<BrowserContext> {
  const known = sharedOf.get(browser) ?? new Map<string, Shared>()
  sharedOf.set(browser, known)
  const key = JSON.stringify([service.url, look])
  const found = known.get(key)
  if (found && performance.now() - found.since < sharedFor) return found.context
  const made = { context: newContext(browser, service, look), since: performance.now() }
  known.set(key, made)
  return made.context
}

async function newContext(browser: Browser, service: Pick<Service, 'url'>, look: Look): Promise<BrowserContext> {
  const { width = 1280, colorScheme = 'light', locale = 'en-GB', hasTouch = false, motion = false, as } = look
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme,
    locale,
    hasTouch,
    // Without transitions, which would take half of the time.
    reducedMotion: motion ? 'no-preference' : 'reduce',
  })
  // A busy machine is slow; a failure then ends at the test's own timeout.
  context.setDefaultTimeout(60_000)
  if (as !== undefined) await context.addCookies(await sessionCookies(service, as))
  return context
}

/** Returns the cookies of a browser in which this user has just signed in. */
async function sessionCookies({ url }: Pick<Service, 'url'>, email: string) {
  const response = await fetch(`${url}/admin/api/session/sign-in/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: url, 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ email, password }),
  })
  assert.equal(response.status, 200, await response.text())
  return response.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: `${url}/`, httpOnly: true, sameSite: 'Strict' as const }
  })
}

/** Signs in through the form. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
}

/**
 * Waits for the notification with this text, and closes it by the button with this name: it covers what is below, and the
 * next is recognised at once.
 */
export async function closeNotification(page: Page, text: string, button = 'Close'): Promise<void> {
  const notification = page.getByRole('alert').filter({ hasText: text })
  await notification.waitFor()
  // It closes itself after a while, so a click that waits for the button could wait for ever.
  const close = notification.getByRole('button', { name: button })
  while ((await notification.count()) > 0)
    await close.evaluateAll((buttons) => buttons.map((one) => Object(one).click()))
}

/** Waits until all data of the page has loaded. A hidden tab loads nothing before it is opened. */
export async function allRead(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]:visible').first().waitFor({ state: 'detached' })
}

/** Runs the command that a text finds first, by keyboard. What is typed before the field has focus would be lost. */
export async function runCommand(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.locator('input[aria-label="Search and commands"]:focus').waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/**
 * Navigates to a path of the panel and waits until its data has loaded: another screen without a reload, which takes
 * most of the time, and the same screen with another query by a reload.
 */
export async function go(page: Page, path: string): Promise<void> {
  const here = new URL(page.url())
  const target = new URL(`/admin${path}`, here)
  const screen = ({ pathname }: URL): string => pathname.replace(/\/$/, '')
  if (screen(here) !== screen(target)) {
    const before = await page.locator('h1').elementHandle()
    const quoted = JSON.stringify(`${target.pathname}${target.search}`)
    await page.evaluate(`history.pushState({}, '', ${quoted}); dispatchEvent(new PopStateEvent('popstate'))`)
    // The previous screen disappears; a new one has its own title.
    await before?.waitForElementState('hidden')
  } else if (target.search !== '' && here.search !== target.search) await page.goto(target.href)
  await page.locator('h1').waitFor()
  await allRead(page)
}

/** Fails unless the page, once its transitions have ended, is accessible and no wider than the window. */
export async function assertFit(page: Page, what: string): Promise<void> {
  await shown(page)
  assert.deepEqual(await faults(page, {}), [], what)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0, `${what} is wider than the window`)
}

/** Opens the menu of this name, fails unless its text has sufficient contrast, and closes it. */
export async function assertMenuReadable(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menu').waitFor()
  await shown(page)
  assert.deepEqual(await faults(page, { runOnly: ['color-contrast'] }), [], name)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
}

async function faults(page: Page, options: RunOptions): Promise<unknown> {
  axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  if (!(await page.evaluate(`typeof axe !== 'undefined'`))) await page.evaluate(axeSource)
  // Details of elements without faults, which take most of the time, are left out.
  return page.evaluate(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html]))`,
  )
}

let axeSource: string | undefined

/** Waits until nothing on the page is animated: a half-faded element does not have its final contrast. */
export async function shown(page: Page): Promise<void> {
  // A removed element never finishes its animation, and neither does a spinner.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished))`)
}

/** Returns the page's next download; call it before the action that causes the download. */
export async function nextDownload(page: Page): Promise<Buffer> {
  const download = await page.waitForEvent('download')
  // A shared browser may be remote as far as the library knows, so only copies are available.
  const file = join(freshFolder(), 'download')
  await download.saveAs(file)
  return readFileSync(file)
}
