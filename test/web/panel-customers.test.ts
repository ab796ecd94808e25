import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram, startChromium } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { addPerson, assertFit, go, openPanel, signIn } from '../support/panel.ts'
import { type Service, startService } from '../support/service.ts'

const program = chromiumProgram()
// Each would run, or be taken for markup, in some place that forgets to write it as text.
const nasty = ['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '{{constructor}}', '\u202Eevil'].join(' ')

describe('the customers in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: Service
  let browser: Browser
  before(async () => {
    service = await startService({ site: standardSite })
    await addPerson(service, 'admin')
    await addPerson(service, 'manager')
    await addPerson(service, 'provider', 1)
    browser = await startChromium(program ?? '')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test('are added, found, noted about, blocked and unblocked by keyboard alone', async (t) => {
    const { page, context, wrong } = await openPanel(browser, service, '/customers')
    t.after(() => context.close())
    await signIn(page, 'manager@clinic.example')
    await page.getByRole('button', { name: 'Add a customer' }).press('Enter')
    await page.getByLabel('Name').fill(nasty)
    await page.getByLabel('E-mail').fill('nobody')
    await page.keyboard.press('Enter')
    // Its own fault, not its label: what is sent before the answer came would be sent for nothing.
    await page.getByRole('dialog').locator('input[aria-invalid="true"]').waitFor()
    await page.getByLabel('E-mail').fill('nasty@list.example')
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: nasty })
    await drawer.getByRole('textbox', { name: 'New note' }).fill(`Allergic.\n${nasty}`)
    await drawer.getByRole('button', { name: 'Add the note' }).press('Enter')
    await drawer.getByText('Allergic.').waitFor()
    await drawer.getByRole('radio', { name: 'Active', exact: true }).press('ArrowLeft')
    await page.getByText('The customer is blocked').waitFor()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText('The customer is active.').waitFor()
    await drawer.getByRole('button', { name: 'Remove the note' }).press('Enter')
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await drawer.getByText('Allergic.').waitFor({ state: 'hidden' })
    await drawer.getByRole('button', { name: 'Edit' }).press('Enter')
    await drawer.getByLabel('Phone').fill('+49 30 123456')
    await page.keyboard.press('Enter')
    await drawer.getByRole('link', { name: '+49 30 123456' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('searchbox').fill('030 123456')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('searchbox').fill('+49 30 12')
    await page.getByRole('button', { name: nasty }).waitFor()
    assert.deepEqual(wrong, [])
  })

  test('are merged, and erased for good', async (t) => {
    const { page, context, wrong } = await openPanel(browser, service, '/customers?search=Max')
    t.after(() => context.close())
    await signIn(page, 'manager@clinic.example')
    await page.getByRole('button', { name: 'Max', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Max', exact: true })
    const act = async (action: string): Promise<void> => {
      await drawer.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Merge with another …')
    const merging = page.getByRole('dialog', { name: 'Merge with Max' })
    await merging.getByRole('button', { name: 'Merge' }).press('Enter')
    await merging.getByText('Choose the other one.').first().waitFor()
    await merging.locator('input').first().fill('Kim')
    await page.getByRole('option', { name: /^Kim/ }).click()
    await assertFit(page, 'merging')
    await merging.getByRole('button', { name: 'Merge' }).press('Enter')
    await page.getByText('The two are one now.').waitFor()
    await drawer.getByText('Merged', { exact: true }).waitFor()
    await act('Erase personal data …')
    await page.getByRole('button', { name: 'Erase for good' }).click()
    await page.getByText('The personal data is erased.').waitFor()
    await page.getByText('Nothing matches').waitFor()
    assert.deepEqual(wrong, [])
  })

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    test(`are fit for everybody, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, wrong } = await openPanel(browser, service, '/customers', { width, colorScheme })
      t.after(() => context.close())
      await signIn(page, 'manager@clinic.example')
      await go(page, '/customers')
      await assertFit(page, 'the list')
      await page.getByRole('button', { name: 'Jo', exact: true }).click()
      await page.getByRole('dialog').getByText('History').waitFor()
      await assertFit(page, 'one customer')
      await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
      await assertFit(page, 'the form')
      assert.deepEqual(wrong, [])
    })
  }

  test('are shown to a provider without what is not theirs to see', async (t) => {
    const { page, context, wrong } = await openPanel(browser, service, '/customers')
    t.after(() => context.close())
    await signIn(page, 'provider@clinic.example')
    await page.getByText('No customers yet.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Add a customer' }).count(), 0)
    assert.deepEqual(wrong, [])
  })
})
