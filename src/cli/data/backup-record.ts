import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/** Records that a backup succeeded, from which its age is counted; `daybook backup` does so by itself. */
export const backupRecord: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run(app) {
    await performCommand(app, 'backups.record', {}, { by: 'backup record' })
    return done('Recorded.\n')
  },
}
