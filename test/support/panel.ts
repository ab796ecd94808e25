import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { PersonRole } from '../../src/domain/person.ts'
import type { Service } from './service.ts'

/** The password of everyone these tests make. */
export const password = 'correct horse battery staple'

/** How a browser looks at the panel. */
export interface Look {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
}

/** An open panel, with all that the browser complained about. */
export interface Panel {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors in the console, such as what the content policy stopped, and requests to elsewhere. */
  readonly wrong: string[]
}

/** Makes a person with a password, through the one-time link of the command; their address. */
export async function addPerson(service: Service, role: PersonRole, providerId?: number): Promise<string> {
  const email = `${role}@clinic.example`
  const provider = providerId === undefined ? [] : ['--provider', String(providerId)]
  const made = await service.daybook('user', 'create', '--email', email, '--role', role, '--name', role, ...provider)
  assert.equal(made.code, 0, made.stderr)
  const secret = made.stdout.trim().split('/').at(-1)
  const answer = await fetch(`${service.url}/admin/api/password/set/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: service.url, 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ secret, password }),
  })
  assert.equal(answer.status, 200, await answer.text())
  return email
}

/** Opens a path of the panel in a browser of its own. */
export async function openPanel(
  browser: Browser,
  service: Pick<Service, 'url'>,
  path: string,
  look: Look = {},
): Promise<Panel> {
  const { width = 1280, colorScheme = 'light', locale = 'en-GB' } = look
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme, locale })
  // A browser on a busy machine takes its time; what fails then fails by the test's own limit.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', (message) => {
    // The browser reports every refused request; what is refused is looked at where it is tried.
    if (message.type() === 'error' && !/status of 40[0-9]/.test(message.text())) wrong.push(message.text())
  })
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(service.url) && !/^(?:data|blob):/.test(request.url())) wrong.push(request.url())
  })
  await page.goto(`${service.url}/admin${path}`)
  return { page, context, wrong }
}

/** Signs in through the form. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('navigation').first().waitFor()
}

/** Goes to a path of the panel without loading it anew, and waits until all that it shows was read. */
export async function go(page: Page, path: string): Promise<void> {
  const before = await page.locator('h1').elementHandle()
  const address = `/admin${path}`
  if (new URL(page.url()).pathname.replace(/\/$/, '') !== address.replace(/\/$/, '')) {
    const quoted = JSON.stringify(address)
    await page.evaluate(`history.pushState({}, '', ${quoted}); dispatchEvent(new PopStateEvent('popstate'))`)
    // The screen that was there goes; a new one has a title of its own.
    await before?.waitForElementState('hidden')
  }
  await page.locator('h1').waitFor()
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

/** Fails unless the page is fit for everybody and no wider than the window. */
export async function assertFit(page: Page, what: string): Promise<void> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html]))',
  )
  assert.deepEqual(found, [], what)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(overflow) <= 0, `${what} is wider than the window`)
}
