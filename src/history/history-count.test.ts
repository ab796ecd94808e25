import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InProcessSite } from '../../test/support/in-process-site.ts'
import { pageHistory } from './history.sql.ts'

const everything = { objectId: undefined, type: undefined, actor: undefined, from: undefined, until: undefined }
const page = { limit: 20, offset: 0 }

test('the history is counted up to 10,001 entries, however long the log', async () => {
  const site = await InProcessSite.open()
  try {
    const { total } = await pageHistory(site.reads, everything, page)
    assert.ok(total > 0 && total < 100)
    site.connection.script(`
      with recursive numbered (n) as (select 1 union all select n + 1 from numbered where n < 10500)
      insert into event (tx, n, id, type, kind, object_id, body_version, actor_kind, actor_id, created_at)
      select 9000000000000, n, 'e_' || n, 'site.updated', 'site', 'site', 1, 'command', 'test', n from numbered`)
    assert.equal((await pageHistory(site.reads, everything, page)).total, 10_001)
    assert.equal((await pageHistory(site.reads, { ...everything, until: 101 }, page)).total, 100)
  } finally {
    await site.close()
  }
})
