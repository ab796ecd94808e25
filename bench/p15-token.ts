import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { LoadClients, requestText } from './load.ts'
import { metric } from './metrics.ts'
import { report } from './report.ts'
import { costLine, measureCosts, roundLimits } from './request-costs.ts'
import { observe, type RunningServer, run } from './server.ts'
import { makeSite } from './site.ts'

const bar = 0.85
const [recorded, unrecorded] = await Promise.all([tokenServer('recorded'), tokenServer('unrecorded')])
const { with: withUse, without } = await measureCosts([recorded.kind('with'), unrecorded.kind('without')])
await recorded.stop()
await unrecorded.stop()
const value = without.min / withUse.min
console.log('P15 the check of a token with its last use recorded, on the smallest read')
console.log(costLine(withUse))
console.log(costLine(without))
report({
  figure: 'P15',
  name: 'a read with the last use of its token recorded, share of the same without, processor time',
  unit: 'share',
  value,
  spread: [without.min / withUse.max, without.max / withUse.min],
  bar: `>= ${bar}`,
  held: value >= bar,
})
await countWrites()

/**
 * Measures how many commits the service makes during one second of reads. The last use of a token is recorded in memory
 * and stored every five seconds.
 */
async function countWrites(): Promise<void> {
  const site = await makeSite({ providers: 1 })
  const server = await run(site)
  const clients = await LoadClients.open(server, 10)
  const before = await metric(server, 'daybook_commit_batch_writes_count')
  const { total } = await clients.sendRequests(() => requestText('GET', '/auth/verify/', site.readToken), roundLimits)
  const commits = (await metric(server, 'daybook_commit_batch_writes_count')) - before
  clients.close()
  await server.stop()
  console.log(`${total} reads, ${commits} commits meanwhile`)
  report({
    figure: 'P15',
    name: 'writes per read',
    unit: 'commits a read',
    value: commits / total,
    spread: [commits / total, commits / total],
    bar: '<= 0.01',
    held: commits / total <= 0.01,
  })
}

async function tokenServer(recording: string) {
  const site = await makeSite({ providers: 1 })
  const script = join(import.meta.dirname, 'token-server.ts')
  const child = spawn(process.execPath, [script, site.dataDir, recording], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  const server: RunningServer = observe(child, { host: '127.0.0.1', port: Number(port) })
  const clients = await LoadClients.open(server, 20)
  const read = requestText('GET', '/auth/verify/', site.readToken)
  return {
    kind: <Name extends string>(name: Name) => ({ name, server, clients, next: () => read }),
    stop: async () => {
      clients.close()
      await server.stop()
    },
  }
}
