import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endpointsOf } from '../../src/calendars/oauth/oauth.ts'
import { databasesHere } from '../support/databases.ts'
import { GoogleStandIn } from '../support/google.ts'
import { CalendarTestSite } from './calendar-test-site.ts'

type AccessTokens = typeof import('../../src/calendars/oauth/access-token.job.ts')

/** Returns the module that requests access tokens as another node has it, without the tokens of this one. */
async function onNode(name: string): Promise<AccessTokens> {
  const path = `../../src/calendars/oauth/access-token.job.ts?node=${name}`
  return import(new URL(path, import.meta.url).href)
}

for (const { kind, skip } of await databasesHere()) {
  describe(`the authorization code of a sign-in on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let google: GoogleStandIn
    before(async () => {
      google = await GoogleStandIn.open()
      site = await CalendarTestSite.open(kind, { grantUrls: { google: google.url } })
    })
    after(async () => {
      await site?.close()
      await google?.close()
    })

    /** Requests access tokens of an account on two nodes concurrently. */
    const onTwoNodes = async (id: string) => {
      const keys = (await site.opening.findKey()) ?? assert.fail('no keys')
      const account = await site.account(id)
      const endpoints = endpointsOf('google', site.opening.grantUrls)
      const nodes = await Promise.all([onNode('1'), onNode('2')])
      return Promise.allSettled(
        nodes.map(({ accessToken }) => accessToken({ opening: site.opening, account, endpoints, keys })),
      )
    }

    test('is exchanged by one of two nodes, and the other uses the refresh token', async () => {
      const id = await site.connectGranted('google', google)
      await site.signInAgain(id, google)
      google.refreshes = 0
      const outcomes = await onTwoNodes(id)
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'fulfilled'],
      )
      assert.equal(google.refreshes, 1)
    })

    test('that is refused is refused on both nodes, and the next sign-in is exchanged', async () => {
      const id = await site.connectGranted('google', google)
      await site.signInAgain(id, google)
      google.intercept = (_, response, { pathname }) => {
        if (pathname !== '/token') return false
        response.writeHead(400).end('{"error":"invalid_grant"}')
        return true
      }
      const outcomes = await onTwoNodes(id)
      assert.deepEqual(
        outcomes.map((outcome) => 'reason' in outcome && outcome.reason.code),
        ['sign_in_refused', 'sign_in_refused'],
      )
      google.intercept = () => false
      await site.signInAgain(id, google)
      await site.runDueJobs()
      assert.equal((await site.account(id)).fault, null)
    })
  })
}
