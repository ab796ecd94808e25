import type { FileAnswer, Returns } from '../contract/endpoint.ts'
import type { systemRoutes } from '../contract/panel/system/system.ts'
import type { Handlers } from '../http/call.ts'
import { refusal } from '../messages/refusal.ts'
import type { Operations } from '../operations.ts'

/** The state of the installation and of its backups, as the system page shows it. */
export type SystemView = Returns<(typeof systemRoutes)['GET /system/']>
/** The running or last backup that the panel started since the start of the service, as the system page shows it. */
export type BackupView = SystemView['backup']

/** The running installation: its state and its backups. */
export interface Installation {
  look(): Promise<SystemView>
  /** Starts a backup in the background; refuses when the database is not embedded or a backup is running. */
  beginBackup(): Promise<BackupView>
  /** Opens the last backup that the panel created; undefined when there is none. */
  openBackup(): Promise<FileAnswer | undefined>
}

/**
 * Returns the handlers of the panel's system page, which show the installation, make and download backups, and set when
 * a backup is overdue.
 */
export function systemHandlers(installation: Installation): Handlers<typeof systemRoutes, Operations> {
  return {
    'GET /system/': () => installation.look(),
    'POST /backup/': () => installation.beginBackup(),
    'POST /backup/overdue/': async ({ body, perform }) => {
      await perform('backups.overdue', body)
      return {}
    },
    'GET /backup/': async () => {
      const backup = await installation.openBackup()
      if (!backup) throw refusal('backup_not_found')
      return backup
    },
  }
}
