import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, freshFolder, serve } from '../test/support/daybook.ts'
import { now } from './clinic.ts'
import { siteFile } from './clinic-site.ts'
import { observe, type RunningServer } from './server.ts'

/** A running service with the reference clinic of 50 providers. */
export interface ClinicNode {
  readonly service: RunningServer
  readonly token: string
  readonly serviceId: string
}

/**
 * Creates the clinic in the database that the command-line arguments `place` select (`--data-dir` or `--database-url`),
 * and starts a service on it. With `counted`, the service's CPU times include those of PostgreSQL.
 */
export async function startClinic(place: readonly string[], counted: boolean): Promise<ClinicNode> {
  const env = { ...process.env, DAYBOOK_NOW: String(now) }
  const daybook = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await command([...args, ...place], env)
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const file = join(freshFolder(), 'site.json')
  writeFileSync(file, JSON.stringify(siteFile(50)))
  await daybook('apply', file)
  const token = await daybook('token', 'create', '--name', 'bench', '--scope', 'write')
  return startNode(place, { token, counted })
}

/** Starts a service on a database that already contains the clinic. */
export async function startNode(
  place: readonly string[],
  { token, counted }: { readonly token: string; readonly counted: boolean },
): Promise<ClinicNode> {
  const env = { ...process.env, DAYBOOK_NOW: String(now) }
  const { child, url } = await serve([...place], env)
  const { hostname, port } = new URL(url)
  const own = observe(child, { host: hostname, port: Number(port) })
  const service: RunningServer = counted
    ? { ...own, cpu: async () => new Map([...(await own.cpu()), ...postgresTime()]) }
    : own
  const answer = await fetch(`${url}/api/v1/services/get/`, { headers: { Authorization: `Bearer ${token}` } })
  const { response } = (await answer.json()) as { response: { id: string; name: string }[] }
  const serviceId = response.find(({ name }) => name === 'Check-up')?.id
  assert.ok(serviceId)
  return { service, token, serviceId }
}

/** Returns the milliseconds of processor time that every PostgreSQL process on this machine has taken. */
function postgresTime(): [string, number][] {
  return readdirSync('/proc').flatMap((pid): [string, number][] => {
    if (!/^\d+$/.test(pid)) return []
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'postgres') return []
      return [[`postgres ${pid}`, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6]]
    } catch {
      // The process ended after /proc was listed.
      return []
    }
  })
}
