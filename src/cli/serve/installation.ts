import { createReadStream, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import packageFile from '../../../package.json' with { type: 'json' }
import type { Counts } from '../../db/consistency.ts'
import { databaseFile, panelBackupFile } from '../../db/data-dir.ts'
import { findOldestUnsettled } from '../../db/log/event-log.ts'
import { loadBackupRecord } from '../../maintenance/backups/backup.sql.ts'
import { nodeReport } from '../../maintenance/nodes/node.ts'
import { listNodes } from '../../maintenance/nodes/nodes.sql.ts'
import type { BackupView, Installation } from '../../maintenance/system.routes.ts'
import { type Message, message } from '../../messages/message.ts'
import { refusal } from '../../messages/refusal.ts'
import { writeAtomically } from '../data/atomic-file.ts'
import { copied } from '../data/backup.ts'
import type { Check } from '../doctor/check.ts'
import type { CommandApp } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

type MeasuredApp = CommandApp & { waitingWrites(): number }

const noBackup: BackupView = {
  state: 'none',
  startedAt: null,
  endedAt: null,
  bytes: null,
  message: message('backup_none'),
}

/** Returns the functions with which the panel shows the state of the installation, and makes and downloads a backup. */
export function installationOf(app: MeasuredApp): Installation {
  const startedAt = app.now()
  let backup = earlierBackup(app.dataDir)
  return {
    look: () => look(app, { startedAt, backup }),

    async beginBackup() {
      const { dataDir } = app
      if (dataDir === undefined) {
        throw refusal('backup_not_here')
      }
      if (backup.state === 'running') throw refusal('backup_running')
      const begun: BackupView = {
        ...noBackup,
        state: 'running',
        startedAt: app.now(),
        message: message('backup_begun'),
      }
      backup = begun
      const end = (rest: Partial<BackupView>) => {
        backup = { ...begun, endedAt: app.now(), ...rest }
      }
      backUp(app, dataDir).then(
        (rest) => end(rest),
        (error: unknown) => {
          app.log.error({ fault: String(error) }, 'backup')
          end({ state: 'failed', message: message('backup_failed') })
        },
      )
      return backup
    },

    async openBackup() {
      const path = app.dataDir === undefined ? '' : panelBackupFile(app.dataDir)
      if (!existsSync(path)) return undefined
      return {
        name: 'daybook-backup.db',
        type: 'application/octet-stream',
        bytes: statSync(path).size,
        file: async (write) => {
          for await (const part of createReadStream(path)) await write(part)
        },
      }
    },
  }
}

/** Returns the backup in the data directory that the panel made before this process started, if any. */
function earlierBackup(dataDir: string | undefined): BackupView {
  const path = dataDir === undefined ? '' : panelBackupFile(dataDir)
  if (!existsSync(path)) return noBackup
  const { size, mtimeMs } = statSync(path)
  const endedAt = Math.floor(mtimeMs / 1000)
  return { state: 'done', startedAt: null, endedAt, bytes: size, message: message('backup_earlier') }
}

async function backUp(app: MeasuredApp, dataDir: string): Promise<Partial<BackupView>> {
  const path = panelBackupFile(dataDir)
  let ended: Partial<BackupView> = { state: 'failed', message: message('backup_not_written') }
  await writeAtomically(path, async (partial) => {
    const copy = { from: databaseFile(dataDir), to: partial, now: app.now() }
    const { faults, counts } = await copied(copy, { note: () => {} })
    const complete = counts !== undefined && faults.length === 0
    ended = complete
      ? { state: 'done', message: doneMessage(counts), bytes: statSync(partial).size }
      : { state: 'failed', message: message('backup_unsound') }
    return complete
  })
  if (ended.state === 'done') await performCommand(app, 'backups.record', {}, { by: 'panel backup' })
  return ended
}

function doneMessage({ services, providers, customers, reservations, events }: Counts): Message {
  return message('backup_done', { services, providers, customers, reservations, events })
}

async function look(app: MeasuredApp, known: { readonly startedAt: number; readonly backup: BackupView }) {
  const { db, dataDir } = app
  const { quickExaminations } = await import('../doctor/doctor.ts')
  const checks: Check[] = []
  for (const examine of quickExaminations) checks.push(...(await examine(app)))
  const { rows } = await sql<{ bytes: number; schema: string }>`
    select ${db.dialect.size()} as bytes, (select max(name) from migration) as schema`.execute(db.build)
  const oldest = await findOldestUnsettled(db)
  const { lastAt, overdueDays } = await loadBackupRecord(db)
  return {
    version: packageFile.version,
    runtime: `Node ${process.versions.node}`,
    startedAt: known.startedAt,
    database: db.dialect.name,
    schema: rows[0]?.schema ?? '',
    databaseBytes: Number(rows[0]?.bytes ?? 0),
    walBytes: dataDir === undefined ? null : sizeOf(join(dataDir, 'daybook.db-wal')),
    freeBytes: dataDir === undefined ? null : freeIn(dataDir),
    feedLagSeconds: oldest === undefined ? 0 : Math.max(0, app.now() - oldest),
    waitingWrites: app.waitingWrites(),
    nodes: (await listNodes(db)).map(nodeReport),
    backup: known.backup,
    lastBackupAt: lastAt,
    backupOverdueDays: overdueDays,
    healthy: checks.every(({ state }) => state !== 'fail'),
    checks,
  }
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
