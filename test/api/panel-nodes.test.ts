import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BrowserClient } from '../support/browser-client.ts'
import { standardSite } from '../support/clinic.ts'
import { databasesHere, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { openLiveScreen } from '../support/live-screen.ts'
import { addUser, bookFirst, password } from '../support/panel.ts'
import { type ServiceProcess, startService } from '../support/service.ts'
import { present } from '../support/test-site.ts'
import { untilRefused } from '../support/until-refused.ts'

/** The number of connections to each service; with several threads, each thread has some of them almost certainly. */
const connections = { sqlite: 16, postgres: 1 }

/** Tests of the panel with three nodes that share one PostgreSQL database, and with two threads on SQLite. */
for (const { kind, skip } of await databasesHere())
  describe(`the panel of ${kind === 'sqlite' ? 'one service with two threads' : 'three nodes'}`, { skip }, () => {
    let fresh: FreshDatabase
    let services: readonly ServiceProcess[]
    before(async () => {
      fresh = await freshDatabase(kind)
      services = await started(fresh)
      await addUser(present(services[0]), 'admin')
    })
    after(async () => {
      for (const service of services ?? []) await service.kill()
      await fresh?.remove()
    })

    const signIn = async (): Promise<BrowserClient> => {
      const browser = new BrowserClient(present(services[0]))
      const answer = await browser.post('/session/sign-in/', { email: 'admin@clinic.example', password })
      assert.equal(answer.status, 200, answer.text)
      return browser
    }
    /** The services, each as often as connections to it are opened; every request has a connection of its own. */
    const places = () => services.flatMap((service) => Array.from({ length: connections[kind] }, () => service))
    const isSignedIn = async (service: ServiceProcess, cookie: string): Promise<boolean> => {
      const { status } = await new BrowserClient(service, cookie).get('/customers/')
      assert.ok(status === 200 || status === 401, String(status))
      return status === 200
    }

    test('a session of one is valid at every other, and at none a second after signing out', async () => {
      const browser = await signIn()
      const cookie = present(browser.cookie)
      for (const service of places()) assert.ok(await isSignedIn(service, cookie))
      assert.equal((await browser.post('/session/sign-out/')).status, 200)
      const signedOutAt = performance.now()
      const late = { since: signedOutAt, within: 1_000, late: 'The session was valid more than a second after.' }
      for (const service of places()) await untilRefused(async () => !(await isSignedIn(service, cookie)), late)
    })

    test('a change through one is sent to the screens at every other', async (t) => {
      const { cookie } = await signIn()
      const screens = await Promise.all(places().map(({ url }) => openLiveScreen(url, cookie)))
      t.after(() => {
        for (const screen of screens) screen.close()
      })
      await bookFirst(present(services[0]))
      for (const screen of screens) await screen.receives('reservation')
    })
  })

async function started({ at }: FreshDatabase): Promise<ServiceProcess[]> {
  if ('dataDir' in at) return [await startService({ ...at, site: standardSite, serve: ['--workers', '2'] })]
  const first = await startService({ ...at, site: standardSite })
  return [first, ...(await Promise.all([0, 1].map(() => startService({ ...at, beside: first }))))]
}
