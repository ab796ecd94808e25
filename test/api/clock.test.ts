import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { connectedDatabase } from '../support/connected-database.ts'
import { adjustableClock } from '../support/database-clock.ts'
import { databasesHere, withoutPooler } from '../support/databases.ts'
import { command, endProcess, serve } from '../support/daybook.ts'
import { hangLimit } from '../support/scale.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const [, { skip = false } = {}] = await databasesHere()

test('a node whose clock differs from the database’s is not ready and starts no jobs until it is corrected', {
  skip,
}, async (t) => {
  const { databaseUrl: given, client } = await connectedDatabase(t)
  // A pooler would give the service sessions that began before the clock was replaced.
  const databaseUrl = await withoutPooler(given)
  // The test moves the clock of the database instead of the service's clock. The effect is the same, because the
  // service measures only the difference between the two.
  const setApart = await adjustableClock(client)
  await setApart(60)
  await client.query(`
    create table claimed (kind text not null, seconds float8 not null);
    create function note_claim() returns trigger language plpgsql as
      'begin insert into claimed select new.kind, seconds from public.apart; return null; end';
    create trigger note_claim after update on job for each row
      when (new.state = 'running' and old.state <> 'running') execute function note_claim();
    insert into job (id, kind, unique_key, lane, payload, state, run_at, created_at)
      values ('job_1', 'agenda', 'a', '', 'null', 'due', 0, 0)`)
  const claims = async () => (await client.query('select kind, seconds from claimed')).rows

  const server = await serve(['--database-url', databaseUrl], process.env, 'live')
  t.after(() => server.child.kill('SIGKILL'))
  const ready = async () => (await fetch(`${server.url}/health/ready`)).status
  const doctor = async () => (await command(['doctor', '--database-url', databaseUrl])).stdout
  const drift = await driftWhen(server.url, (found) => found > 2)
  assert.ok(Math.abs(drift - 60) < 2, String(drift))
  assert.equal(await ready(), 503)
  assert.equal((await fetch(`${server.url}/health/live`)).status, 200)
  assert.match(await doctor(), /^fail {2}clock: \d+(?:\.\d)? s apart/m)
  await waitForValue(async () => /^node .*, clock drift \d{5} ms, out of sync\.$/m.test(await doctor()), true)
  assert.match(await doctor(), /^warn {2}nodes: Not ready, because the clock differs from the database's: \S+:\d+\. /m)

  await setApart(0)
  await driftWhen(server.url, (found) => found <= 1)
  assert.equal(await ready(), 200)
  assert.match(await doctor(), /^ok {4}clock: In sync/m)
  await waitForValue(async () => /^ok {4}nodes: 1 running\.$/m.test(await doctor()), true)
  // The main thread runs `sweep` and its like, the outbound thread runs `agenda`.
  for (const kind of ['reservation-expiry', 'agenda'])
    await waitForValue(async () => (await claims()).some((claim) => claim.kind === kind), true)
  assert.deepEqual(
    (await claims()).filter(({ seconds }) => seconds !== 0),
    [],
  )

  assert.equal(await endProcess(server.child, 'SIGTERM'), 0)
  assert.match(server.stderr(), /"milliseconds":\d{5},"msg":"clock out of sync with the database/)
})

/**
 * Resolves to the clock drift in the metrics, in seconds, once the node has measured a value that satisfies `wanted`;
 * fails after `hangLimit`.
 */
async function driftWhen(url: string, wanted: (drift: number) => boolean): Promise<number> {
  const until = performance.now() + hangLimit
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const drift = Number(/^daybook_clock_drift_seconds (.+)$/m.exec(text)?.[1])
    if (wanted(drift)) return drift
    assert.ok(performance.now() < until, `The clock was not looked at in time: ${drift}.`)
    await pause(25)
  }
}
