import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'

/** Applies pending migrations of the database by opening it, and reports them. */
export const migrate: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run({ migrated }) {
    if (migrated.length === 0) return done('The database is up to date; nothing to do.\n')
    return done(migrated.map((name) => `Applied migration ${name}.\n`).join(''))
  },
}
