import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { connectedDatabase } from '../support/connected-database.ts'
import { databasesHere } from '../support/databases.ts'
import { command, endProcess, serve } from '../support/daybook.ts'
import { pause } from '../support/pause.ts'

const [, { skip = false } = {}] = await databasesHere()

test('doctor names the nodes that run, those that are lost, and an upgrade that is not finished', {
  skip,
}, async (t) => {
  const { databaseUrl, client } = await connectedDatabase(t)
  const names = async () => (await client.query('select name from node order by name')).rows.map(({ name }) => name)
  const doctor = async () => {
    const { code, stdout } = await command(['doctor', '--database-url', databaseUrl])
    return `${code} ${/^.*nodes: .*$/m.exec(stdout)?.[0]}`
  }
  const nodes = [
    await serve(['--database-url', databaseUrl], process.env),
    await serve(['--database-url', databaseUrl], process.env),
  ] as const
  t.after(() => Promise.all(nodes.map(({ child }) => endProcess(child, 'SIGKILL'))))
  const nameOf = (node: (typeof nodes)[number]) => `${hostname()}:${node.child.pid}`
  const expected = nodes.map(nameOf).sort()
  while ((await names()).length < 2) await pause()
  assert.deepEqual(await names(), expected)
  assert.equal(await doctor(), '0 ok    nodes: 2 running.')
  const reports = async () => {
    const { stdout } = await command(['doctor', '--database-url', databaseUrl])
    return stdout.split('\n').filter((line) => line.startsWith('node  '))
  }
  const figures = String.raw`version \d+\.\d+\.\d+, started \d{4}-\S+Z, last report \d+ s ago, \d+ ms behind, clock drift \d+ ms`
  assert.match(
    (await reports()).join('\n'),
    new RegExp(`^${expected.map((name) => `node  ${name}: ${figures}\\.`).join('\n')}$`),
  )
  const { stdout: json } = await command(['doctor', '--database-url', databaseUrl, '--json'])
  assert.deepEqual(
    JSON.parse(json).nodes.map((node: { name: string; lost: boolean }) => [node.name, node.lost]),
    expected.map((name) => [name, false]),
  )

  await endProcess(nodes[0].child, 'SIGKILL')
  // The report is dated now, because it is missing after 20 seconds, of which the command takes many on a busy machine.
  await client.query('update node set seen_at = floor(extract(epoch from clock_timestamp())) where name = $1', [
    nameOf(nodes[0]),
  ])
  assert.equal(await doctor(), '0 ok    nodes: 2 running.', 'a report is not missing yet')
  await client.query('update node set seen_at = seen_at - 30 where name = $1', [nameOf(nodes[0])])
  assert.match(await doctor(), new RegExp(`^0 warn {2}nodes: No report any more from ${nameOf(nodes[0])}: `))

  assert.match((await reports()).join('\n'), new RegExp(`^node  ${nameOf(nodes[0])}: ${figures}, lost\\.$`, 'm'))

  await client.query("update node set seen_at = seen_at + 3600, version = '0.0.9' where name = $1", [nameOf(nodes[0])])
  assert.match(await doctor(), /^0 warn {2}nodes: Nodes of the versions 0\.0\.9, \d+\.\d+\.\d+ run side by side/)

  await client.query(
    "insert into node select 'lost', 'other:1', version, started_at, seen_at - 60, 0, 60000 from node where name = $1",
    [nameOf(nodes[1])],
  )
  const { stdout: both } = await command(['doctor', '--database-url', databaseUrl])
  assert.match(
    both,
    /^warn {2}nodes: No report any more from other:1: .*\nwarn {2}nodes: Nodes of the versions 0\.0\.9/m,
  )
  await client.query("delete from node where id = 'lost'")

  await client.query('update node set seen_at = seen_at - 7200 where name = $1', [nameOf(nodes[0])])
  while ((await names()).length > 1) await pause()
  assert.deepEqual(await names(), [nameOf(nodes[1])], 'the next report of the other forgets it')
  assert.equal(await endProcess(nodes[1].child, 'SIGTERM'), 0)
  assert.deepEqual(await names(), [], 'a node that stops leaves the list')
})
