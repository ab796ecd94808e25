import type { Page } from 'playwright-core'
import { standardSite } from './clinic.ts'
import { idOf, navigate, waitForAnimations } from './panel.ts'
import type { ServiceProcess } from './service.ts'
import { dayWindow } from './test-site.ts'

/** A text with markup, a template tag and a bidirectional control character. */
export const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>{{name}} \u202Eright'

/** The id of the provider whose name is `hostile`. */
export const hostileId = 6

/** The standard site with a service and a provider whose names are `hostile`. */
export const siteWithHostileProvider = {
  ...standardSite,
  services: [{ key: 'hostile', name: hostile }, ...standardSite.services],
  providers: [
    ...standardSite.providers,
    {
      id: hostileId,
      name: hostile,
      timezone: 'Europe/Berlin',
      overrides: [{ date: '2026-12-24', slot: { note: hostile, location: hostile } }],
    },
  ],
}

/** Opens a tab of a provider's dialog, such as `week`. */
export async function openProvider(page: Page, id: number, tab: string): Promise<void> {
  await navigate(page, `/providers?open=${id}&part=${tab}`)
  await page.getByRole('dialog').getByRole('tab').first().waitFor()
  await waitForAnimations(page)
}

/** Returns the number of slots of the service `plain` that a provider has on a date. */
export async function slotsOf(service: ServiceProcess, provider: number, date: string): Promise<number> {
  const query = { ...dayWindow(date), providers: provider, services: await idOf(service, '/services/get/', 'plain') }
  const { body } = await service.call('GET', '/availability/get/', { query })
  return body.response.length
}
