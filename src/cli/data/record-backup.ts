import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/**
 * Records the time of a successful backup, from which the age of the last backup is computed. `daybook backup` does
 * this by itself.
 */
export const recordBackup: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run(app) {
    await performCommand(app, 'backups.record', {}, { by: 'record-backup' })
    return done('Recorded.\n')
  },
}
