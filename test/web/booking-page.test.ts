import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { insertSignedInUser } from '../support/browser-client.ts'
import { chromiumProgram, openContext, startChromium } from '../support/chromium.ts'
import { now, standardSite } from '../support/clinic.ts'
import { assertAccessible } from '../support/panel.ts'
import { pause } from '../support/pause.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const form = [
  { key: 'first', label: 'Is it your first visit?', kind: 'choice', options: ['Yes', 'No'], required: true },
  { key: 'doctor', label: 'Who sent you?', kind: 'text', required: true, when: { field: 'first', is: 'Yes' } },
  { key: 'remind', label: 'Remind me', kind: 'checkbox' },
]
const site = {
  ...standardSite,
  services: [
    ...standardSite.services,
    { key: 'talk', name: 'Talk', description: 'Half an hour.', durationMinutes: 30, price: 4500, form },
  ],
}

/** The texts of the controls that lead through the booking page, by language. */
const languages = {
  'en-GB': {
    toSummary: 'Continue',
    book: 'Book now',
    booked: 'You are booked',
    manage: 'View or change',
    move: 'Move',
    moved: 'has been moved',
    cancel: 'Cancel appointment',
    sure: 'Yes, cancel it',
    cancelled: 'has been cancelled',
  },
  'de-DE': {
    toSummary: 'Weiter',
    book: 'Jetzt buchen',
    booked: 'Ihr Termin ist gebucht',
    manage: 'ansehen oder ändern',
    move: 'Verschieben',
    moved: 'wurde verschoben',
    cancel: 'Termin absagen',
    sure: 'Ja, absagen',
    cancelled: 'wurde abgesagt',
  },
  'es-ES': {
    toSummary: 'Continuar',
    book: 'Reservar ahora',
    booked: 'Su cita está reservada',
    manage: 'Ver o cambiar',
    move: 'Cambiar la hora',
    moved: 'se ha cambiado',
    cancel: 'Cancelar la cita',
    sure: 'Sí, cancelar',
    cancelled: 'se ha cancelado',
  },
  'fr-FR': {
    toSummary: 'Continuer',
    book: 'Réserver',
    booked: 'Votre rendez-vous est réservé',
    manage: 'Voir ou modifier',
    move: 'Déplacer',
    moved: 'a été déplacé',
    cancel: 'Annuler le rendez-vous',
    sure: 'Oui, annuler',
    cancelled: 'a été annulé',
  },
} as const

describe('the booking page in a browser', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    service = await startService({ site, now, serve: ['--page-languages', 'examples/languages'] })
    browser = await startChromium(program ?? '')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  interface Visit {
    readonly page: Page
    /** The errors in the browser console, the uncaught exceptions, and the URLs of requests to other origins. */
    readonly wrong: string[]
    close(): Promise<void>
  }

  async function visit(path: string, options: BrowserContextOptions): Promise<Visit> {
    const context = await openContext(browser, { timezoneId: 'Europe/Berlin', ...options })
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => {
      // The browser reports the status 422 of a form with errors as an error; the test asserts what the returned page
      // shows.
      if (message.type() === 'error' && !message.text().includes('422')) wrong.push(message.text())
    })
    page.on('pageerror', (error) => wrong.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) wrong.push(request.url())
    })
    await page.goto(path.startsWith('/') ? service.url + path : path)
    return { page, wrong, close: () => context.close() }
  }

  const looks = [
    { locale: 'en-GB', width: 1280, colorScheme: 'light', javaScriptEnabled: true },
    { locale: 'de-DE', width: 360, colorScheme: 'dark', javaScriptEnabled: true },
    { locale: 'es-ES', width: 320, colorScheme: 'light', javaScriptEnabled: true },
    { locale: 'fr-FR', width: 360, colorScheme: 'light', javaScriptEnabled: false },
    { locale: 'en-GB', width: 320, colorScheme: 'dark', javaScriptEnabled: false },
  ] as const
  for (const [index, { locale, width, colorScheme, javaScriptEnabled }] of looks.entries()) {
    const words = languages[locale]
    const scripts = javaScriptEnabled ? 'with' : 'without'
    test(`books, moves and cancels in ${locale}, ${width} pixels wide, ${colorScheme}, ${scripts} scripts`, async (t) => {
      const options = { locale, viewport: { width, height: 800 }, colorScheme, javaScriptEnabled }
      const { page, wrong, close } = await visit('/book/', options)
      t.after(close)
      const look = async (name: string) => {
        await takeScreenshot(page, `booking-${locale}-${width}-${name}`)
        // Axe, which checks accessibility, needs scripts; the page without scripts has the same markup.
        if (javaScriptEnabled) await assertAccessible(page, name)
      }
      await look('services')
      await page.getByRole('link', { name: /^Talk/ }).click()
      await look('providers')
      await page.getByRole('link', { name: 'Ana' }).click()
      await look('month')
      // The fifth free date is chosen, because the policy allows changes only until a day before the appointment.
      await page.locator('.day.free').nth(4).click()
      await page.locator('.day.free.on').and(page.locator('.day.free').nth(4)).waitFor()
      await page.locator('button.time').nth(index).click()
      await look('form')
      await page.getByRole('button', { name: words.toSummary }).click()
      await page.locator('[role=alert]').waitFor()
      await look('errors')
      await page.locator('[name=name]').fill(`Visitor ${index}`)
      await page.locator('[name=email]').fill(`visitor${index}@example.org`)
      await page.locator('[name="a.first"]').selectOption('Yes')
      await page.locator('[name="a.doctor"]').fill('Dr Who')
      await page.getByRole('button', { name: words.toSummary }).click()
      await page.getByRole('button', { name: words.book }).waitFor()
      await look('summary')
      await page.getByRole('button', { name: words.book }).click()
      await page.getByRole('heading', { name: words.booked }).waitFor()
      await look('booked')
      await page.getByRole('link', { name: words.manage }).click()
      await look('manage')
      await page.getByRole('link', { name: words.move, exact: true }).click()
      await look('move')
      await page.locator('button.time').last().click()
      await page.getByRole('status').filter({ hasText: words.moved }).waitFor()
      await page.getByRole('link', { name: words.cancel }).click()
      await look('cancel')
      await page.getByRole('button', { name: words.sure }).click()
      await page.getByRole('status').filter({ hasText: words.cancelled }).waitFor()
      await look('cancelled')
      assert.deepEqual(wrong, [])
    })
  }

  test('is written from right to left in a language of a file', async (t) => {
    const viewport = { width: 360, height: 800 }
    const { page, wrong, close } = await visit('/book/talk/?with=1', { locale: 'ar-EG', viewport })
    t.after(close)
    await page.getByRole('heading', { name: 'اختر وقتًا' }).or(page.getByText('الأوقات في').first()).first().waitFor()
    assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [
      'ar',
      'rtl',
    ])
    await takeScreenshot(page, 'booking-ar-360-month')
    await assertAccessible(page, 'the month from right to left')
    await page.locator('button.time').last().click()
    await page.getByLabel('الاسم').waitFor()
    await takeScreenshot(page, 'booking-ar-360-form')
    await assertAccessible(page, 'the form from right to left')
    assert.deepEqual(wrong, [])
  })

  test('books, moves and cancels by keyboard alone', async (t) => {
    const { page, wrong, close } = await visit('/book/talk/?with=2&date=2026-10-22', { locale: 'en-GB' })
    t.after(close)
    const press = async (selector: string) => {
      for (let presses = 0; presses < 120; presses += 1) {
        await page.keyboard.press('Tab')
        if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
      }
      assert.fail(`Tab does not reach ${selector}`)
    }
    await press('button.time')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[name=email]')
    await press('[name=name]')
    await page.keyboard.type('Key Board')
    await press('[name=email]')
    await page.keyboard.type('keys@example.org')
    await press('[name="a.first"]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await press('button.main')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[value=book]')
    await press('[value=book]')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You are booked' }).waitFor()
    await press('a[href*="/manage/r_"]:not([href$=ics])')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your appointment' }).waitFor()
    await press('a[href^="/manage/move/"]')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose a new time' }).waitFor()
    await press('button.time')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'has been moved' }).waitFor()
    await press('a[href^="/manage/cancel/"]')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Cancel this appointment?' }).waitFor()
    await press('[name=reason]')
    await page.keyboard.type('I am ill')
    await press('button.main')
    await page.keyboard.press('Enter')
    await page.getByRole('status').filter({ hasText: 'has been cancelled' }).waitFor()
    assert.deepEqual(wrong, [])
  })

  test('changes the month and the day without a page load, and goes back', async (t) => {
    const { page, wrong, close } = await visit('/book/talk/?with=1', { locale: 'en-GB' })
    t.after(close)
    await page.evaluate('window.sameDocument = true')
    const secret = await page.locator('input[name=form]').first().inputValue()
    await page.getByRole('link', { name: 'Next month' }).click()
    await page.getByRole('heading', { name: 'November 2026', exact: true }).waitFor()
    await page.getByRole('link', { name: /Thursday,? 5 November/ }).click()
    await page.getByRole('heading', { name: /Times on Thursday,? 5 November/ }).waitFor()
    await waitForValue(async () => page.url(), /date=2026-11-05/)
    await page.goBack()
    await page.goBack()
    await page.getByRole('heading', { name: 'October 2026', exact: true }).waitFor()
    assert.equal(await page.evaluate('window.sameDocument'), true)
    await waitForValue(() => page.locator('input[name=form]').first().inputValue(), secret)
    assert.deepEqual(wrong, [])
  })

  for (const outcome of ['arrives', 'fails'])
    test(`shows the day that was clicked last when the page of another ${outcome} later`, async (t) => {
      const { page, close } = await visit('/book/talk/?with=1&month=2026-11', { locale: 'en-GB' })
      t.after(close)
      await page.evaluate('window.sameDocument = true')
      const { promise: until, resolve: answer } = Promise.withResolvers<void>()
      await page.route(/date=2026-11-05/, async (route) => {
        await until
        await (outcome === 'fails' ? route.abort() : route.continue())
      })
      const isOther = (request: Request) => request.url().includes('date=2026-11-05')
      const late =
        outcome === 'fails'
          ? page.waitForEvent('requestfailed', isOther)
          : page.waitForEvent('requestfinished', isOther)
      await page.getByRole('link', { name: /Thursday,? 5 November/ }).click()
      await page.getByRole('link', { name: /Friday,? 6 November/ }).click()
      const heading = page.getByRole('heading', { name: /Times on Friday,? 6 November/ })
      await heading.waitFor()
      answer()
      await late
      // The script has processed the late answer when a later request of the page is answered.
      await page.evaluate('fetch(location.href).then((response) => response.text())')
      assert.deepEqual(
        [await page.evaluate('window.sameDocument'), await heading.count(), page.url().includes('date=2026-11-06')],
        [true, 1, true],
      )
    })

  test('shows the times of the browser’s zone also when a day is clicked before they arrive', async (t) => {
    const { page, close } = await visit('about:blank', { locale: 'en-GB', timezoneId: 'America/New_York' })
    t.after(close)
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    await page.route(/zone=America/, async (route) => {
      await until
      await route.continue()
    })
    await page.goto(`${service.url}/book/talk/?with=1&month=2026-11`)
    await page.getByRole('link', { name: /Friday,? 6 November/ }).click()
    await page.getByRole('heading', { name: /Times on Friday,? 6 November/ }).waitFor()
    answer()
    await page.getByText('Times in Eastern Standard Time (America/New York)').waitFor()
    assert.equal(await page.getByRole('heading', { name: /Times on Friday,? 6 November/ }).count(), 1)
    assert.match(page.url(), /date=2026-11-06/)
  })

  test('leads from the list of errors to the field, without giving the time back', async (t) => {
    const { page, close } = await visit('/book/talk/?with=1&date=2026-10-21', { locale: 'en-GB' })
    t.after(close)
    const time = page.locator('button.time').first()
    const slot = await time.getAttribute('value')
    await time.click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.locator('[role=alert]').waitFor()
    await page.evaluate('window.sameDocument = true')
    const loads: string[] = []
    page.on('request', (request) => loads.push(request.url()))
    await page.locator('[role=alert] a[href="#f-email"]').click()
    await page.locator('#f-email:focus').waitFor()
    await page.keyboard.type('ada@example.org')
    const listed = (await (await fetch(`${service.url}/book/talk/?with=1&date=2026-10-21`)).text()).includes(
      `value="${slot}"`,
    )
    assert.deepEqual([await page.evaluate('window.sameDocument'), loads, listed], [true, [], false])
    assert.equal(await page.locator('#f-email').inputValue(), 'ada@example.org')
  })

  test('shows the times of the browser’s zone, and those of a chosen one', async (t) => {
    const { page, close } = await visit('/book/talk/?with=1', { locale: 'en-GB', timezoneId: 'America/New_York' })
    t.after(close)
    await page.getByText('Times in Eastern Daylight Time (America/New York)').waitFor()
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await page.getByText('Times in Japan Standard Time (Asia/Tokyo)').waitFor()
  })

  test('asks a conditional question only when it applies', async (t) => {
    const { page, close } = await visit('/book/talk/?with=1', { locale: 'en-GB' })
    t.after(close)
    await page.locator('button.time').last().click()
    const question = page.getByLabel('Who sent you?')
    await page.getByLabel('Is it your first visit?').selectOption('No')
    await waitForValue(() => question.isVisible(), false)
    await page.getByLabel('Is it your first visit?').selectOption('Yes')
    await waitForValue(() => question.isVisible(), true)
  })

  test('gives the time back when the visitor leaves', async (t) => {
    const { page, close } = await visit('/book/talk/?with=1&date=2026-10-20', { locale: 'en-GB' })
    t.after(close)
    const time = page.locator('button.time').first()
    const slot = await time.getAttribute('value')
    await time.click()
    await page.waitForSelector('[name=email]')
    const listed = async () =>
      (await (await fetch(`${service.url}/book/talk/?with=1&date=2026-10-20`)).text()).includes(`value="${slot}"`)
    assert.equal(await listed(), false)
    await page.goto('about:blank')
    while (!(await listed())) await pause()
  })

  test('gives the time back when the visitor leaves the form of a private link', async (t) => {
    const sql = openSql(service)
    t.after(() => sql.close())
    const { browser: admin } = await insertSignedInUser({ server: service, sql }, 'admin')
    const [row] = await sql("select id from service where key = 'talk'")
    const serviceId = String(row?.id)
    const setAccess = async (access: string) => {
      const edited = await admin.post('/booking-page/service/edit/', { id: serviceId, access })
      assert.equal(edited.status, 200, edited.text)
    }
    await setAccess('link')
    t.after(() => setAccess('listed'))
    const made = await admin.post('/booking-page/links/add/', { serviceId, singleUse: false, days: 7 })
    const { pathname } = new URL(String(made.body.response.url))
    const { page, close } = await visit(`${pathname}?with=1&date=2026-10-27`, { locale: 'en-GB' })
    t.after(close)
    const time = page.locator('button.time').first()
    const start = Number.parseInt((await time.getAttribute('value')) ?? '', 10)
    await time.click()
    await page.waitForSelector('[name=email]')
    const isHeld = async () => (await sql('select id from hold where start_at = ?', [start])).length > 0
    assert.equal(await isHeld(), true)
    await page.goto('about:blank')
    while (await isHeld()) await pause()
  })

  test('takes at most 40 KB over the wire, style and script included', async () => {
    const sizes: number[] = []
    for (const path of ['/book/', '/book/talk/?with=1', '/book/talk/'])
      sizes.push((await (await fetch(service.url + path)).arrayBuffer()).byteLength)
    const html = await (await fetch(`${service.url}/book/`)).text()
    const script = /<script src="([^"]+)"/.exec(html)?.[1] ?? ''
    const scriptSize = (await (await fetch(service.url + script)).arrayBuffer()).byteLength
    assert.ok(Math.max(...sizes) + scriptSize <= 40 * 1024, `${Math.max(...sizes)} + ${scriptSize} bytes`)
  })
})
