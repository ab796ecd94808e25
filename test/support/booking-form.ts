import type { Page } from 'playwright-core'

/**
 * Chooses the first free time of a service on the booking page, on a date 14 days ahead, and enters the customer. The
 * first free time of today could begin before it is chosen, and one of the next days may be a special date of the site.
 */
export async function fillBookingForm(
  page: Page,
  { origin, service, name, email }: Readonly<Record<'origin' | 'service' | 'name' | 'email', string>>,
): Promise<void> {
  const date = Temporal.Now.plainDateISO('UTC').add({ days: 14 })
  await page.goto(new URL(`/book/${service}/?with=1&date=${date}`, origin).href)
  await page.locator('button[name=slot]').first().click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('E-mail', { exact: true }).fill(email)
}
