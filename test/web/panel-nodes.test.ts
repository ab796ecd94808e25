import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { assertAccessible, openPanel, startPanelService, waitForAnimations, waitForData } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const [, { skip = false } = {}] = await databasesHere()
const noBrowser = chromiumProgram() ? false : 'Chromium is not installed'
const secretKey = { DAYBOOK_SECRET_KEY: '5e'.repeat(32) }

describe('the nodes on the system page', { skip: skip || noBrowser, timeout: 600_000 }, () => {
  let fresh: FreshDatabase
  let service: ServiceProcess
  let other: ServiceProcess
  let browser: Browser
  let sql: Sql
  before(async () => {
    fresh = await freshDatabase('postgres')
    const databaseUrl = 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : ''
    ;({ service, browser } = await startPanelService({ site: standardSite, databaseUrl, env: secretKey }, 1))
    other = await startService({ databaseUrl, env: secretKey, beside: service })
    sql = openSql(service)
  })
  after(async () => {
    await sql?.close()
    await browser?.close()
    await other?.kill()
    await service?.kill()
    await fresh?.remove()
  })

  test('are listed with what they run and how far they are behind, and one that was lost is named', async () => {
    // The lost node last reported a minute ago; the report of the one out of sync stays recent however long this takes.
    const now = Math.floor(Date.now() / 1000)
    const lost = [now - 3_600, now - 60]
    const outOfSync = [now - 3_600, now + 3_600]
    await sql(
      `insert into node (id, name, version, started_at, seen_at, lag_ms) values ('n_lost', 'old-machine:1', '0.0.9', ?, ?, 0)`,
      lost,
    )
    await sql(
      `insert into node (id, name, version, started_at, seen_at, lag_ms, clock_drift_ms) values ('n_ahead', 'fast-machine:1', '0.1.0', ?, ?, 3, 61500)`,
      outOfSync,
    )
    for (const look of [{ width: 1280 }, { width: 360, colorScheme: 'dark' }] as const) {
      const { page, context, errors } = await openPanel(browser, service, '/settings/system', {
        ...look,
        as: 'admin@clinic.example',
        alone: true,
      })
      const table = page
        .getByRole('region', { name: 'Nodes' })
        .or(page.locator('section', { hasText: 'Nodes' }))
        .last()
      await table.getByText('old-machine:1').waitFor()
      await waitForData(page)
      for (const { pid } of [service, other]) await page.getByText(`:${pid}`).first().waitFor()
      await page.getByText('0.0.9').waitFor()
      await page.getByText('61,500\u00a0ms').waitFor()
      for (const text of ['old-machine:1Lost', 'fast-machine:1Out of sync'])
        await page.getByText(text, { exact: true }).waitFor()
      await waitForAnimations(page)
      const folder = process.env.DAYBOOK_TEST_PICTURES
      if (folder !== undefined) await page.screenshot({ path: `${folder}/nodes-${look.width}.png`, fullPage: true })
      await assertAccessible(page, `nodes at ${look.width}`)
      assert.deepEqual(errors, [])
      await context.close()
    }
  })
})
