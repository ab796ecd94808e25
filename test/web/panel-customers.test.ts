import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, navigate, nextDownload, openPanel, startPanelService } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
// Texts that the browser would execute or parse as markup if the panel did not escape them, and one with a direction
// override.
const nasty = ['<img src=x onerror=alert(1)>', '"><script>alert(1)</script>', '{{constructor}}', '\u202Eevil'].join(' ')

describe('the customers in the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, 1))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  test('are added, found, annotated, blocked and unblocked by keyboard alone', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add customer' }).press('Enter')
    await page.getByLabel('Name').fill(nasty)
    await page.getByLabel('E-mail').fill('nobody')
    await page.keyboard.press('Enter')
    // The form is submitted again only when the field shows its error, because submitting before the response has no
    // effect.
    await page.getByRole('dialog').locator('input[aria-invalid="true"]').waitFor()
    await page.getByLabel('E-mail').fill('nasty@list.example')
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: nasty })
    await drawer.getByRole('textbox', { name: 'New note' }).fill(`Allergic.\n${nasty}`)
    await drawer.getByRole('button', { name: 'Add note' }).press('Enter')
    await drawer.getByText('Allergic.').waitFor()
    await drawer.getByRole('radio', { name: 'Active', exact: true }).press('ArrowLeft')
    await page.getByText('The customer is blocked').waitFor()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.getByText('The customer is active.').waitFor()
    await drawer.getByRole('button', { name: 'Delete note' }).press('Enter')
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await drawer.getByText('Allergic.').waitFor({ state: 'hidden' })
    await drawer.getByRole('button', { name: 'Edit' }).press('Enter')
    await drawer.getByLabel('Phone').fill('+49 30 123456')
    await page.keyboard.press('Enter')
    await drawer.getByRole('link', { name: '+49 30 123456' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('searchbox').fill('030 123457')
    await page.getByText('No results').waitFor()
    await page.getByRole('searchbox').fill('030 123456')
    await page.getByRole('button', { name: nasty }).waitFor()
    await page.getByRole('searchbox').fill('+49 30 12')
    await page.getByRole('button', { name: nasty }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('have a birthday, tags and further numbers, are filtered by tag, and duplicates are named with the reason', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Add customer' }).click()
    const form = page.getByRole('dialog', { name: 'Add customer' })
    await form.getByLabel('Name').fill('Jo')
    await form.getByText('same name').waitFor()
    await form.getByLabel('Name').fill('Ida Berg')
    await form.getByLabel('Phone', { exact: true }).fill('+49 40 7654321')
    await form.getByText('Possible duplicates').waitFor({ state: 'hidden' })
    await form.getByRole('button', { name: 'Add phone number' }).click()
    await form.getByLabel('Label').fill('Work')
    await form.getByLabel('Phone 2', { exact: true }).fill('+49 40 66969198')
    await form.getByLabel('Birthday').fill('29/02/1980')
    await form.getByPlaceholder('Add a tag').fill(nasty.slice(0, 40))
    await page.keyboard.press('Enter')
    await form.getByLabel('Name').click()
    await assertAccessible(page, 'a new customer')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Ida Berg' })
    await drawer.getByText('29/02/1980').waitFor()
    await drawer.getByRole('link', { name: '+49 40 66969198' }).waitFor()
    await assertAccessible(page, 'a customer with details')
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByLabel('Select Mia').check()
    await page.getByLabel('Select Max').check()
    await page.getByPlaceholder('Add a tag').fill('Regular')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add tags' }).click()
    await page.getByText('2 customers changed.').waitFor()
    await page.getByRole('combobox', { name: 'Tags' }).click()
    await page.getByRole('option', { name: 'regular' }).click()
    await page.getByRole('button', { name: 'Kim', exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mia', exact: true }).waitFor()
    await assertAccessible(page, 'customers with a tag')
    await navigate(page, '/customers?search=ida')
    await page.getByRole('button', { name: 'Add customer' }).click()
    await form.getByLabel('Name').fill('I. Berg')
    await form.getByLabel('Phone', { exact: true }).fill('040 66969198')
    await form.getByText('same phone number').waitFor()
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    const twin = page.getByRole('dialog', { name: 'I. Berg' })
    await twin.getByRole('button', { name: /^Actions/ }).click()
    await page.getByRole('menuitem', { name: 'Merge with another customer…' }).click()
    await page.getByRole('radio', { name: 'Ida Berg' }).press('Space')
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Customers merged.').waitFor()
    await twin.getByText('29/02/1980').waitFor()
    assert.deepEqual(errors, [])
  })

  test('are imported from a table by keyboard, each row checked before anything is stored, and undone', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    await page.getByRole('link', { name: 'Import customers' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Import customers' }).waitFor()
    await page.locator('input[type=file]').setInputFiles(table(' \n'))
    await page.getByText('This file has no rows.').waitFor()
    await page.locator('input[type=file]').setInputFiles(
      table(`Kunde;Mail\n"${nasty.replaceAll('"', '""')}";in@table.example\nIda;family@table.example\nOle;family@table.example
ida;FAMILY@table.example\nNobody;nowhere\n${Array.from({ length: 210 }, (_, at) => `Row ${at};row${at}@table.example\n`).join('')}`),
    )
    await page.getByText('215 rows, UTF-8 separated by semicolons').waitFor()
    await page.getByRole('button', { name: 'Preview' }).press('Enter')
    const rows = page.getByRole('table', { name: 'Preview' })
    await rows.waitFor()
    const kinds = page.getByRole('group', { name: 'Filter rows by result' })
    await waitForValue(
      () => kinds.getByRole('button').allInnerTexts(),
      ['New: 212', 'Shared contact: 1', 'Duplicate row: 1', 'Error: 1'],
    )
    await rows.getByRole('cell', { name: nasty }).waitFor()
    await assertAccessible(page, 'the preview')
    await kinds.getByRole('button', { name: 'Error' }).press('Enter')
    await rows.getByText('E-mail: Must be an e-mail address').waitFor()
    await waitForValue(() => rows.getByRole('row').count(), 2)
    assert.equal((await service.call('GET', '/customers/get/')).text.includes('table.example'), false)
    await page.getByRole('button', { name: 'Import 212 rows' }).press('Enter')
    await page.getByRole('table', { name: 'Result' }).waitFor()
    await waitForValue(
      () => kinds.getByRole('button').allInnerTexts(),
      ['Added: 212', 'Shared contact: 1', 'Duplicate row: 1', 'Error: 1'],
    )
    const saving = nextDownload(page)
    await page.getByRole('button', { name: 'Download 3 skipped rows' }).press('Enter')
    const text = (await saving).toString()
    assert.match(text, /^\uFEFFKunde,Mail,Reason\r\nOle,family@table.example,Shared contact: Same as row 2\r\n/)
    assert.match(text, /\r\nNobody,nowhere,Error: E-mail: Must be an e-mail address/)
    await page.getByRole('button', { name: 'Undo import' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).press('Enter')
    await page.getByText('Deleted: 212.').waitFor()
    assert.equal((await service.call('GET', '/customers/get/')).text.includes('table.example'), false)
    assert.deepEqual(errors, [])
  })

  test('an import is stopped between two batches, reports the remaining rows, and resumes', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers/import', {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    const rows = Array.from({ length: 120 }, (_, at) => `Part ${at},part${at}@stop.example\n`)
    await page.locator('input[type=file]').setInputFiles(table(`Name,Mail\n${rows.join('')}`))
    await page.getByRole('button', { name: 'Preview' }).click()
    let parts = 0
    await page.route('**/customers/import/', async (route) => {
      parts += 1
      if (parts === 2) await page.getByRole('button', { name: 'Stop' }).click()
      await route.continue()
    })
    await page.getByRole('button', { name: 'Import 120 rows' }).click()
    await page.getByText('Stopped. The rows imported so far are saved.').waitFor()
    const kinds = page.getByRole('group', { name: 'Filter rows by result' })
    await kinds.getByRole('button', { name: 'Added: 100' }).waitFor()
    await kinds.getByRole('button', { name: 'Not processed: 20' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await kinds.getByRole('button', { name: 'Added: 120' }).waitFor()
    assert.equal(parts, 3)
    assert.deepEqual(errors, [])
  })

  test('a row of an import that repeats a row with an error is imported', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers/import', {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    const [wrong, right] = ['Ida,ida@error.example,Nowhere', 'Ida,ida@error.example,Europe/Berlin']
    await page.locator('input[type=file]').setInputFiles(table(`Name,Mail,Zone\n${wrong}\n${right}\n`))
    await page.getByRole('button', { name: 'Preview' }).click()
    const kinds = page.getByRole('group', { name: 'Filter rows by result' })
    await waitForValue(() => kinds.getByRole('button').allInnerTexts(), ['New: 1', 'Error: 1'])
    assert.deepEqual(errors, [])
  })

  test('an import whose response was lost goes on, and can be undone as a whole', async (t) => {
    const { page, context } = await openPanel(browser, service, '/customers/import', { as: 'manager@clinic.example' })
    t.after(() => context.close())
    const rows = Array.from({ length: 60 }, (_, at) => `Lost ${at},lost${at}@lost.example\n`)
    await page.locator('input[type=file]').setInputFiles(table(`Name,Mail\n${rows.join('')}`))
    await page.getByRole('button', { name: 'Preview' }).click()
    let parts = 0
    await page.route('**/customers/import/', async (route) => {
      parts += 1
      if (parts > 1) return route.continue()
      assert.equal((await route.fetch()).status(), 200)
      await route.abort()
    })
    await page.getByRole('button', { name: 'Import 60 rows' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    const kinds = page.getByRole('group', { name: 'Filter rows by result' })
    await waitForValue(() => kinds.getByRole('button').allInnerTexts(), ['Added: 60'])
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('Deleted: 60.').waitFor()
    assert.equal((await service.call('GET', '/customers/get/')).text.includes('lost.example'), false)
  })

  test('that were found for an earlier text are not offered for a merge', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers?search=Max', {
      as: 'manager@clinic.example',
    })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    t.after(async () => {
      release()
      await context.close()
    })
    await page.route(/\/customers\/\?search=Kim/, async (route) => {
      await released
      await route.continue()
    })
    await page.getByRole('button', { name: 'Max', exact: true }).click()
    await page.getByRole('dialog', { name: 'Max', exact: true }).getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Merge with another customer…' }).click()
    const other = page.getByRole('dialog', { name: 'Merge with Max' }).getByRole('combobox')
    await other.fill('Mia')
    const earlier = page.getByRole('option', { name: /^Mia/ })
    await earlier.waitFor()
    await other.fill('Kim')
    await earlier.waitFor({ state: 'detached' })
    release()
    await page.getByRole('option', { name: /^Kim/ }).waitFor()
    assert.deepEqual(errors, [])
  })

  test('are merged, and erased permanently', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers?search=Max', {
      as: 'manager@clinic.example',
    })
    t.after(() => context.close())
    await page.getByRole('button', { name: 'Max', exact: true }).click()
    const drawer = page.getByRole('dialog', { name: 'Max', exact: true })
    const act = async (action: string): Promise<void> => {
      await drawer.getByRole('button', { name: 'Actions' }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act('Merge with another customer…')
    const merging = page.getByRole('dialog', { name: 'Merge with Max' })
    await merging.getByRole('button', { name: 'Merge' }).press('Enter')
    await merging.getByText('Choose a customer.').first().waitFor()
    await merging.locator('input').first().fill('Kim')
    await page.getByRole('option', { name: /^Kim/ }).click()
    await assertAccessible(page, 'merging')
    await merging.getByRole('button', { name: 'Merge' }).press('Enter')
    await page.getByText('Customers merged.').waitFor()
    await drawer.getByText('Customers merged', { exact: true }).waitFor()
    await act('Erase personal data…')
    await page.getByRole('button', { name: 'Erase permanently' }).click()
    await page.getByText('Personal data erased.').waitFor()
    await page.getByText('No results').waitFor()
    assert.deepEqual(errors, [])
  })

  for (const [width, colorScheme] of [
    [1280, 'light'],
    [360, 'dark'],
  ] as const) {
    test(`are accessible, ${width} pixels wide, ${colorScheme}`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/customers', {
        as: 'manager@clinic.example',
        width,
        colorScheme,
      })
      t.after(() => context.close())
      await navigate(page, '/customers')
      await assertAccessible(page, 'the list')
      await page.getByRole('button', { name: 'Jo', exact: true }).click()
      await page.getByRole('dialog').getByText('History').waitFor()
      await assertAccessible(page, 'one customer')
      await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
      await assertAccessible(page, 'the form')
      await page.goto(`${service.url}/admin/customers/import`)
      await page.locator('input[type=file]').setInputFiles(table('Vorname,Name,Mail\nIda,Berg,ida@berg.example\n,,\n'))
      await page.getByText('1 row, UTF-8 separated by commas').waitFor()
      await assertAccessible(page, 'the columns of a table')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('cell', { name: 'Ida Berg' }).waitFor()
      await assertAccessible(page, 'the rows of a table')
      assert.deepEqual(errors, [])
    })
  }

  test('are shown to a provider with contact data only', async (t) => {
    const { page, context, errors } = await openPanel(browser, service, '/customers', { as: 'provider@clinic.example' })
    t.after(() => context.close())
    await page.getByText('No customers yet.').waitFor()
    await waitForValue(() => page.getByRole('button', { name: 'Add customer' }).count(), 0)
    await waitForValue(() => page.getByRole('link', { name: 'Import customers' }).count(), 0)
    await navigate(page, '/customers/import')
    await page.getByRole('heading', { name: 'No access' }).waitFor()
    assert.deepEqual(errors, [])
  })
})

function table(text: string) {
  return { name: 'table.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
}
