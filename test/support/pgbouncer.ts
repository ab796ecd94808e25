import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, freePort, ownerOfPostgres, type PostgresServer } from './postgres.ts'

const program = '/usr/sbin/pgbouncer'

/** Whether PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  return existsSync(program)
}

/** A running PgBouncer in transaction mode. */
export interface PgBouncer {
  readonly port: number
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode in front of a server, with at most `size` connections to each database. */
export async function startPgBouncer({ url }: Pick<PostgresServer, 'url'>, size = 20): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: behind, username } = new URL(url)
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 1000
logfile = ${folder}/log
`,
  )
  // PgBouncer refuses to run as root, so a test process that is root runs it as the user `postgres`.
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    for (const path of [folder, join(folder, 'users'), join(folder, 'pgbouncer.ini')])
      chownSync(path, ...ownerOfPostgres())
  }
  const [command, ...before] = isRoot ? ['runuser', '-u', 'postgres', '--', 'sh'] : ['sh']
  // The shell stops PgBouncer when the shell's input closes, which happens even when the test process is killed.
  const script = `
    "${program}" -q "${folder}/pgbouncer.ini" </dev/null &
    pooler=$!
    cat >/dev/null
    kill -TERM $pooler
    wait $pooler
    rm -rf "${folder}"`
  const child = spawn(command ?? 'sh', [...before, '-c', script], {
    cwd: '/',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  const pooled = new URL(url)
  pooled.port = String(port)
  await answers(pooled.href, ended)
  return {
    port,
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}
