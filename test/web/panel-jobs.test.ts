import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumProgram } from '../support/chromium.ts'
import { standardSite } from '../support/clinic.ts'
import { assertAccessible, openPanel, password, startPanelService, waitForData } from '../support/panel.ts'
import { takeScreenshot } from '../support/screenshot.ts'
import type { ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const program = chromiumProgram()

describe('the jobs in the panel', { skip: program ? false : 'Chromium is not installed', timeout: 600_000 }, () => {
  let service: ServiceProcess
  let browser: Browser
  let sql: Sql
  before(async () => {
    ;({ service, browser } = await startPanelService({ site: standardSite }, 1))
    sql = openSql(service)
  })
  after(async () => {
    await sql?.close()
    await browser?.close()
    await service?.kill()
  })

  const insert = (id: string, state: string, error: string | null) =>
    sql(
      `insert into job (id, kind, unique_key, lane, payload, state, run_at, attempts, last_error, created_at)
       values (?, 'a-kind-of-another-version', ?, '', '{}', ?, 1900000000, 3, ?, 1800000000)`,
      [id, id, state, error],
    )
  test('failed jobs are shown with their error, and retried or discarded by keyboard', async () => {
    await insert('job_one', 'parked', 'The receiver answered 500 Internal Server Error')
    await insert('job_two', 'parked', 'x'.repeat(300))
    await insert('job_three', 'due', null)
    for (const look of [{ width: 1280 }, { width: 360, colorScheme: 'dark' }] as const) {
      const { page, context, errors } = await openPanel(browser, service, '/settings/jobs?state=parked', {
        ...look,
        as: 'admin@clinic.example',
        alone: true,
      })
      await page.getByText('The receiver answered 500').first().waitFor()
      await waitForData(page)
      await takeScreenshot(page, `jobs-${look.width}`)
      await assertAccessible(page, `jobs at ${look.width}`)
      const first = page.getByRole('button', { name: 'Run a-kind-of-another-version now' }).first()
      await first.press('Enter')
      await page.getByText('The job runs as soon as a worker is free.').waitFor()
      if (look.width === 1280) {
        await page.getByRole('button', { name: 'Discard a-kind-of-another-version' }).press('Enter')
        await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).press('Enter')
        await page.getByText('The job was discarded.').waitFor()
        await page.getByText('No results. Change or clear the filters.').waitFor()
        await takeScreenshot(page, 'jobs-empty')
        await insert('job_four', 'parked', 'The receiver answered 500 Internal Server Error')
      }
      assert.deepEqual(errors, [])
      await context.close()
    }
  })

  test('after a restore an administrator resumes outbound work', async () => {
    await sql('update site set outbound_paused_at = 1800000000')
    const { page, context, errors } = await openPanel(browser, service, '/settings/jobs', {
      as: 'admin@clinic.example',
      alone: true,
    })
    await page.getByText('Outbound work is paused').waitFor()
    await takeScreenshot(page, 'jobs-paused')
    await assertAccessible(page, 'paused outbound work')
    await sql('update session set authenticated_at = 0')
    await page.getByRole('button', { name: 'Resume outbound work' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume outbound work' }).click()
    const asked = page.getByRole('dialog', { name: 'Confirm your identity' })
    await asked.getByLabel('Password', { exact: true }).fill(password)
    await asked.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Outbound work has resumed.').waitFor()
    await page.getByText('Outbound work is paused').waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
    await context.close()
  })
})
