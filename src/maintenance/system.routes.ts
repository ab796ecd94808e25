import type { FileAnswer, Returns } from '../contract/endpoint.ts'
import type { systemRoutes } from '../contract/panel/system.ts'
import type { Handlers } from '../http/call.ts'
import { refusal } from '../messages/refusal.ts'
import type { Operations } from '../operations.ts'

/** What is known of the installation and its last backup. */
export type SystemView = Returns<(typeof systemRoutes)['GET /system/']>
export type BackupView = SystemView['backup']

/** The installation as the panel sees and backs it up. */
export interface Installation {
  look(): Promise<SystemView>
  /** Begins a backup that goes on by itself; refuses where there is none to make, or one is being made. */
  beginBackup(): BackupView
  /** The last backup that was made here. */
  openBackup(): Promise<FileAnswer | undefined>
}

/** The installation itself. */
export function systemHandlers(installation: Installation): Handlers<typeof systemRoutes, Operations> {
  return {
    'GET /system/': () => installation.look(),
    'POST /backup/': () => installation.beginBackup(),
    'GET /backup/': async () => {
      const backup = await installation.openBackup()
      if (!backup) throw refusal('backup_not_found')
      return backup
    },
  }
}
