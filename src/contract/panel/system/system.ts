import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leading, message, none, nothing } from '../row.ts'

const bytes = Type.Integer({ description: 'Bytes' })

const backup = Type.Object({
  state: oneOf<'none' | 'running' | 'done' | 'failed'>({ none: true, running: true, done: true, failed: true }),
  startedAt: orNull(calendarInstant),
  endedAt: orNull(calendarInstant),
  bytes: orNull(bytes),
  message: message('What it came to'),
})

/** The routes that show the state of the installation, make and download a backup, and set when a backup is overdue. */
export const systemRoutes = {
  'GET /system/': {
    summary: 'Return the state of the installation, with the inexpensive checks of `daybook doctor`',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      version: Type.String(),
      runtime: Type.String(),
      startedAt: calendarInstant,
      database: oneOf<'sqlite' | 'postgres'>({ sqlite: true, postgres: true }),
      schema: Type.String({ description: 'The newest migration' }),
      databaseBytes: orNull(bytes),
      walBytes: orNull(bytes),
      freeBytes: orNull(bytes),
      feedLagSeconds: Type.Integer({ description: '0 when the feed shows everything' }),
      waitingWrites: Type.Integer(),
      nodes: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Host name and process id' }),
          version: Type.String(),
          startedAt: calendarInstant,
          silentSeconds: Type.Integer({ description: 'Seconds since the last report' }),
          lagMilliseconds: Type.Integer({ description: 'How far behind the commits of other nodes' }),
          clockDriftMilliseconds: orNull(
            Type.Integer({ description: "Difference from the database's clock; null if it is not measured" }),
          ),
          outOfSync: Type.Boolean({ description: 'Whether its clock is so wrong that the node is not ready' }),
          lost: Type.Boolean({ description: 'Whether the node has not reported for several intervals' }),
        }),
        { description: 'The processes that serve the site on PostgreSQL; empty on SQLite' },
      ),
      backup,
      lastBackupAt: orNull(calendarInstant),
      backupOverdueDays: orNull(Type.Integer({ description: 'null when backups are never overdue' })),
      healthy: Type.Boolean(),
      checks: Type.Array(
        Type.Object({
          check: message('What was checked'),
          state: oneOf<'ok' | 'warn' | 'fail'>({ ok: true, warn: true, fail: true }),
          message: message('How it stands and, where not well, what to do'),
        }),
      ),
    }),
    ok: 200,
  },
  'POST /backup/': {
    summary: 'Start a backup of the embedded database; GET /system/ returns its progress',
    admits: admins,
    fresh: true,
    query: none,
    body: null,
    envelope: 'response',
    returns: backup,
    ok: 200,
    once: true,
  },
  'POST /backup/overdue/': {
    summary: 'Set after how many days a backup is overdue',
    admits: admins,
    query: none,
    body: Type.Object({ overdueDays: orNull(whole(1, 365, { description: 'null for never' })) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /backup/': {
    summary: 'Download the last backup that the panel created',
    admits: admins,
    fresh: true,
    query: none,
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
} as const satisfies PanelContract
