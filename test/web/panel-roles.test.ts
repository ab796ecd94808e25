import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { userRoles } from '../../src/access/users/user.ts'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { addUser, navigate, openPanel, password, startPanelService } from '../support/panel.ts'
import { administratorSettings, managerSettings } from '../support/panel-settings.ts'
import type { ServiceProcess } from '../support/service.ts'

const program = chromiumProgram()
const everyone = ['/start', '/today', '/calendar', '/reservations', '/customers']
const managers = ['/services', '/services/fairness', '/providers']

describe('the panel', { skip: program ? false : 'Chromium is not installed' }, () => {
  let service: ServiceProcess
  let browser: Browser
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, 1))
    await addUser(service, 'receptionist')
    await addUser(service, 'read_only')
  })
  after(async () => {
    await browser?.close()
    await service?.kill()
  })

  for (const role of userRoles) {
    test(`shows ${role} the pages of the role, and explains why others are not available`, async (t) => {
      const { page, context, errors } = await openPanel(browser, service, '/', { locale: 'de-DE' })
      t.after(() => context.close())
      await page.getByLabel('E-Mail').fill(`${role}@clinic.example`)
      await page.getByLabel('Passwort', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Anmelden', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: role === 'provider' ? 'Kalender' : 'Heute' }).waitFor()
      for (const [paths, roles] of [
        [everyone, userRoles],
        [['/why'], ['admin', 'manager', 'receptionist', 'provider']],
        [['/reports'], ['admin', 'manager', 'provider']],
        [managers, ['admin', 'manager']],
        [managerSettings, ['admin', 'manager']],
        [['/hours'], ['provider']],
        [administratorSettings, ['admin']],
      ] as const) {
        for (const path of paths) {
          await navigate(page, path)
          const title = await page.locator('h1').innerText()
          assert.equal(title === 'Kein Zugriff', !roles.some((one) => one === role), path)
        }
      }
      assert.deepEqual(errors, [])
    })
  }
})
