import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { RunOptions } from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { hashPassword } from '../../src/access/passwords/password-hash.ts'
import type { UserRole } from '../../src/access/users/user.ts'
import { chromiumProgram, openContext, startChromium } from './chromium.ts'
import { freshFolder } from './daybook.ts'
import { reportOnFailure } from './open-pages.ts'
import { type ServiceOptions, type ServiceProcess, startService } from './service.ts'
import { openSql } from './sql.ts'

/** The password of all users that panel tests add. */
export const password = 'correct horse battery staple'

/** The size, colour scheme, locale and session with which a test opens a page of the panel. */
export interface PageOptions {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
  readonly hasTouch?: boolean
  /**
   * Whether the page gets its own cookies and cache, for a test that signs out or changes what the next test would
   * see.
   */
  readonly alone?: boolean
  /**
   * Whether the page animates transitions; without `motion`, the browser reports that the user prefers reduced
   * motion.
   */
  readonly motion?: boolean
  /** The e-mail address of the user who is signed in before the page opens, without using the sign-in form. */
  readonly as?: string
}

/** An open page of the panel, with the errors that the browser reported. */
export interface PanelPage {
  readonly page: Page
  /**
   * The browser context of the page; if pages with the same options may share the context, `close` closes only the
   * page.
   */
  readonly context: Pick<BrowserContext, 'close' | 'addCookies' | 'clearCookies' | 'cookies'>
  /**
   * The texts of errors in the console, such as violations of the content security policy; the messages of uncaught
   * exceptions; and the URLs of requests to other origins. Responses with status 400 to 409 are not included.
   */
  readonly errors: string[]
}

/** Starts a browser and a service with three users: an administrator, a manager and the provider `providerId`. */
export async function startPanelService(
  options: ServiceOptions,
  providerId: number,
): Promise<{ service: ServiceProcess; browser: Browser }> {
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

/** Inserts a user with the password `password` into the database; returns the user's e-mail address. */
export async function addUser(service: ServiceProcess, role: UserRole, providerId?: number): Promise<string> {
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

/**
 * Books for Jo, through the API, the first free slot of the service `plain` that starts at least 24 hours from now;
 * returns the reservation's id.
 */
export async function bookFirst(service: ServiceProcess): Promise<string> {
  const clock = Math.floor(Date.now() / 1000)
  const window = { min_timestamp: clock + 86_400, max_timestamp: clock + 8 * 86_400 }
  return (await bookForJo(service, window)).id
}

/**
 * Books for Jo, through the API, the first free slot of the service with this name that the given query of
 * `GET /availability/get/` lists; returns the ids of the reservation and of the customer.
 */
export async function bookForJo(
  service: ServiceProcess,
  query: Readonly<Record<string, string | number>>,
  serviceName = 'plain',
): Promise<{ readonly id: string; readonly customerId: string }> {
  const [serviceId, customerId] = [
    await idOf(service, '/services/get/', serviceName),
    await idOf(service, '/customers/get/', 'Jo'),
  ]
  const slots = await service.call('GET', '/availability/get/', { query: { ...query, services: serviceId } })
  const { availabilityId, providerId, start, end } = Object(slots.body.response[0])
  const body = { serviceId, customerId, providerId, availabilityId, start, end }
  const answer = await service.call('POST', '/reservations/add/', { body })
  assert.equal(answer.status, 200, answer.text)
  return { id: answer.body.id, customerId }
}

/** Returns the id of the object with this name in a list of the API, such as `/services/get/`. */
export async function idOf(service: ServiceProcess, path: string, name: string): Promise<string> {
  const found = (await service.call('GET', path)).body.response.find((row) => row.name === name)
  return found?.id ?? assert.fail(`${path} has no ${name}.`)
}

/**
 * Opens a path of the panel; when the test fails, what the page shows is printed. The pages of a signed-in user with
 * the same locale and kind of pointer share cookies, cache and process unless `alone` is set.
 */
export async function openPanel(
  browser: Browser,
  service: Pick<ServiceProcess, 'url'>,
  path: string,
  pageOptions: PageOptions = {},
): Promise<PanelPage> {
  const { as } = pageOptions
  const shared = as !== undefined && !pageOptions.alone
  const own = shared ? await sharedContext(browser, service, pageOptions, as) : await newContext(browser, pageOptions)
  if (as !== undefined && !shared) await own.addCookies(await sessionCookies(service, as))
  const page = await own.newPage()
  if (shared) await applyLook(page, pageOptions)
  reportOnFailure(page)
  const errors: string[] = []
  page.on('console', (message) => {
    // The browser reports each response with status 400 to 409 as an error; tests that expect a refusal assert the
    // refusal themselves.
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(?:data|blob):/.test(request.url())) errors.push(request.url())
  })
  await page.goto(`${service.url}/admin${path}`)
  if (as !== undefined) await page.getByRole('navigation').first().waitFor()
  const context = shared ? { ...bound(own), close: () => closePage(page) } : own
  return { page, context, errors }
}

function bound(context: BrowserContext): PanelPage['context'] {
  return {
    close: () => context.close(),
    addCookies: (cookies) => context.addCookies(cookies),
    clearCookies: (options) => context.clearCookies(options),
    cookies: (urls) => context.cookies(urls),
  }
}

/**
 * Closes a page whose context is shared, and clears its local storage, so that the next page starts without choices
 * such as a language.
 */
async function closePage(page: Page): Promise<void> {
  await page.evaluate('localStorage.clear()')
  await page.close()
}

interface SharedContext {
  readonly context: BrowserContext
  signedInAt: number
}

/**
 * Milliseconds after which a shared context gets a new session. A session counts as recently authenticated for five
 * minutes, so for a page that opens within this time, at least three minutes are left.
 */
const sessionAge = 120_000
const sharedContexts = new WeakMap<Browser, Map<string, Promise<SharedContext>>>()

// Returns the context that the pages of a user share, with a session that is recent enough. Its pages may differ in
// size and colour scheme, which `applyLook` sets.
async function sharedContext(
  browser: Browser,
  service: Pick<ServiceProcess, 'url'>,
  pageOptions: PageOptions,
  as: string,
): Promise<BrowserContext> {
  const known = sharedContexts.get(browser) ?? new Map<string, Promise<SharedContext>>()
  sharedContexts.set(browser, known)
  const { locale, hasTouch } = pageOptions
  const key = JSON.stringify([service.url, as, locale, hasTouch])
  const found = known.get(key) ?? openShared(browser, service, pageOptions)
  known.set(key, found)
  const shared = await found
  if (performance.now() - shared.signedInAt > sessionAge) {
    shared.signedInAt = performance.now()
    await shared.context.addCookies(await sessionCookies(service, as))
  }
  return shared.context
}

async function openShared(
  browser: Browser,
  { url }: Pick<ServiceProcess, 'url'>,
  pageOptions: PageOptions,
): Promise<SharedContext> {
  const context = await newContext(browser, pageOptions)
  // This page stays open, so that the process of its site does not end with the last other page of the context.
  const page = await context.newPage()
  await page.goto(`${url}/health/live`)
  return { context, signedInAt: Number.NEGATIVE_INFINITY }
}

async function newContext(browser: Browser, pageOptions: PageOptions): Promise<BrowserContext> {
  const { width = 1280, colorScheme = 'light', locale = 'en-GB', hasTouch = false, motion = false } = pageOptions
  const context = await openContext(browser, {
    viewport: { width, height: 800 },
    ...{ colorScheme, locale, hasTouch },
    // Transitions are off by default, because they would take half of the time of the tests.
    reducedMotion: motion ? 'no-preference' : 'reduce',
  })
  // The user has chosen a time zone, whatever that of this machine is. Pages such as `about:blank` have no storage.
  await context.addInitScript("try { localStorage['daybook.zone'] ??= 'site' } catch {}")
  return context
}

async function applyLook(page: Page, { width = 1280, colorScheme = 'light', motion }: PageOptions): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: motion ? 'no-preference' : 'reduce' })
}

/** Signs a user in and returns the cookies that a browser then has. */
async function sessionCookies({ url }: Pick<ServiceProcess, 'url'>, email: string) {
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

/** Signs in a user through the sign-in form, and waits for the panel's navigation. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
}

/**
 * Waits for the notification with this text and closes it with the button of this name, because a notification covers
 * part of the page and could be mistaken for the next notification.
 */
export async function closeNotification(page: Page, text: string, button = 'Close'): Promise<void> {
  const notification = page.getByRole('alert').filter({ hasText: text })
  await notification.waitFor()
  // The notification may close by itself at any moment. A Playwright click would then wait for the button until the
  // timeout, so the click is dispatched in the page.
  const close = notification.getByRole('button', { name: button })
  while ((await notification.count()) > 0)
    await close.evaluateAll((buttons) => buttons.map((one) => Object(one).click()))
}

/**
 * Waits for the notification with this text and presses its button "Undo", by keyboard because a later notification may
 * move the button.
 */
export async function pressUndo(page: Page, text: string): Promise<void> {
  await page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).press('Enter')
}

/**
 * Waits until no visible element is loading data. Hidden elements are ignored, because the content of a tab loads only
 * when a user opens the tab.
 */
export async function waitForData(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]:visible').first().waitFor({ state: 'detached' })
}

/**
 * Opens the command palette by keyboard; resolves to its search field once the field has focus, since keys pressed
 * before would be lost. Keys are also lost until React has run the effects of what the page shows, which it does as
 * soon as the page is idle.
 */
export async function openPalette(page: Page): Promise<Locator> {
  await page.evaluate('new Promise((idle) => requestIdleCallback(idle))')
  await page.keyboard.press('Control+K')
  const search = page.getByRole('textbox', { name: 'Search and commands' })
  await page.locator('input[aria-label="Search and commands"]:focus').waitFor()
  return search
}

/**
 * Ends the session of a page with its next request to a path of the panel's API, which the service then refuses. Were
 * it ended before, another request could open the sign-in dialog above the button that sends this one.
 */
export async function endSessionAt(page: Page, path: string): Promise<void> {
  await page.route(
    `**/admin/api${path}`,
    async (route) => {
      await page.context().clearCookies()
      await route.continue()
    },
    { times: 1 },
  )
}

/** Runs the first command that the command palette finds for the text, by keyboard. */
export async function runCommand(page: Page, text: string): Promise<void> {
  await openPalette(page)
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/**
 * Navigates to a path of the panel and waits until the screen's data has loaded. Opens a different screen without a
 * reload, because reloads would take most of the tests' time. If the path leads to the current screen, loads the page
 * again when the path has a different query, and does not navigate when the path has no query.
 */
export async function navigate(page: Page, path: string): Promise<void> {
  const here = new URL(page.url())
  const target = new URL(`/admin${path}`, here)
  const screen = ({ pathname }: URL): string => pathname.replace(/\/$/, '')
  if (screen(here) !== screen(target)) {
    const before = await page.locator('h1').elementHandle()
    const quoted = JSON.stringify(`${target.pathname}${target.search}`)
    await page.evaluate(`history.pushState({}, '', ${quoted}); dispatchEvent(new PopStateEvent('popstate'))`)
    // The title of the previous screen disappears before the new screen shows its own.
    await before?.waitForElementState('hidden')
  } else if (target.search !== '' && here.search !== target.search) await page.goto(target.href)
  await page.locator('h1').waitFor()
  await waitForData(page)
}

/**
 * Fails unless axe-core finds no violation on the page after its transitions, and the page is no wider than the
 * window.
 */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  await waitForAnimations(page)
  assert.deepEqual(await axeViolations(page, {}), [], what)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0, `${what} is wider than the window`)
}

/** Opens the menu of this name, fails unless its text has sufficient contrast, and closes the menu. */
export async function assertMenuReadable(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
  await page.getByRole('menu').waitFor()
  await waitForAnimations(page)
  assert.deepEqual(await axeViolations(page, { runOnly: ['color-contrast'] }), [], name)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
}

async function axeViolations(page: Page, options: RunOptions): Promise<unknown> {
  axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  if (!(await page.evaluate(`typeof axe !== 'undefined'`))) await page.evaluate(axeSource)
  // `resultTypes` leaves out details of elements without violations, which would take most of the time.
  return page.evaluate(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })})
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html]))`,
  )
}

let axeSource: string | undefined

/**
 * Waits until all animations on the page have ended, except endless ones, because a half-faded element does not have
 * its final contrast.
 */
export async function waitForAnimations(page: Page): Promise<void> {
  // The animation of a removed element is cancelled, so its promise rejects; the animation of a spinner never ends.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished))`)
}

/**
 * Returns the content of the file that the page downloads next; call `nextDownload` before the action that causes the
 * download.
 */
export async function nextDownload(page: Page): Promise<Buffer> {
  const download = await page.waitForEvent('download')
  // Playwright treats the shared browser as remote, so the downloaded file is available only as a copy.
  const file = join(freshFolder(), 'download')
  await download.saveAs(file)
  return readFileSync(file)
}
