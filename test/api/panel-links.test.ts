import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { insertSignedInUser, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const operator = 'https://book.example'

eachDatabase((_kind, open) => {
  describe('links for users', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let sql: Sql
    before(async () => {
      service = await open({ now, env: { DAYBOOK_PUBLIC_URL: `${operator}/` } })
      sql = openSql(service)
    })
    after(() => sql.close())

    test('lead to the operator’s address, whatever site address a manager sets', async () => {
      const manager = await insertSignedInUser({ server: service, sql }, 'manager')
      const edited = await manager.browser.post('/site/edit/', { siteUrl: 'https://evil.example' })
      assert.equal(edited.status, 200, edited.text)
      const { browser } = await insertSignedInUser({ server: service, sql }, 'admin')

      const mia = { name: 'Mia', email: 'mia@clinic.example', role: 'manager' }
      const added = await browser.post('/users/add/', mia)
      const again = await browser.post('/users/link/', { id: added.body.response.id })
      const created = await service.daybook('user', 'create', '--email', 'bo@clinic.example', '--role', 'admin')
      const linked = await service.daybook('user', 'link', '--email', 'bo@clinic.example')
      const links = [added.body.response.link, again.body.response.link, created.stdout, linked.stdout].map(String)
      for (const link of links) assert.match(link.trim(), /^https:\/\/book\.example\/admin\/set-password#[\w-]{43}$/)

      await sql('delete from person')
      await service.stop()
      await service.restart()
      assert.match(service.stdout, /^Set-up link: https:\/\/book\.example\/admin\/set-up#/m)
      assert.equal(setUpSecret(service).length, 43)
    })

    test('carry their secret in the fragment, so that no request contains it', async () => {
      const response = await fetch(`${service.url}/admin/set-up`)
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
      assert.doesNotMatch(service.stderr, new RegExp(setUpSecret(service)))
    })

    test('bind passkeys to the operator’s address, whatever a request claims', async () => {
      const { browser } = await insertSignedInUser({ server: service, sql }, 'admin')
      const { body } = await browser.post('/session/passkey/options/')
      assert.equal(Object(body.response.options).rpId, 'book.example')
    })
  })
})
