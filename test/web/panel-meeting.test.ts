import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { ana, ben, standardSite } from '../support/clinic.ts'
import { assertAccessible, openPanel, startPanelService, waitForAnimations } from '../support/panel.ts'
import type { ServiceProcess } from '../support/service.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const program = chromiumProgram()
const as = 'admin@clinic.example'

describe('meeting links in the panel', {
  skip: program ? false : 'Chromium is not installed',
  timeout: 300_000,
}, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, ben))
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  const picture = async (page: Page, name: string): Promise<void> => {
    const folder = process.env.DAYBOOK_TEST_PICTURES
    await waitForAnimations(page)
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  test('a provider gets a template, after a wrong one was refused beside the field', async () => {
    const look = { as, alone: true } as const
    const { page, context } = await openPanel(browser, service, `/providers?open=${ana}&part=details`, look)
    const link = page.getByRole('textbox', { name: 'Meeting link' })
    await link.fill('http://meet.example/')
    await link.press('Enter')
    await page.getByText('Enter an https:// address.').waitFor()
    await picture(page, 'meeting-refused')
    await link.fill('https://meet.example/{reservation}')
    await page.getByText('https://meet.example/4f1c9a72e05b').waitFor()
    await assertAccessible(page, 'a meeting link')
    await page.setViewportSize({ width: 390, height: 844 })
    await picture(page, 'meeting-390')
    await assertAccessible(page, 'a meeting link at 390 px')
    await link.press('Enter')
    await page.getByText('Saved').first().waitFor()
    await page.reload()
    await waitForValue(() => link.inputValue(), 'https://meet.example/{reservation}')
    await context.close()
  })

  test('a service takes place online', async () => {
    const look = { as, alone: true } as const
    const { page, context } = await openPanel(browser, service, '/services', look)
    await page.getByText('plain', { exact: true }).first().click()
    const online = page.getByRole('switch', { name: 'Takes place online' })
    await online.waitFor()
    await online.scrollIntoViewIfNeeded()
    await picture(page, 'meeting-service')
    await assertAccessible(page, 'a service that takes place online')
    await context.close()
  })
})
