import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/** Revokes an API token permanently; every server rejects it within a second. */
export const tokenRevoke: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: ['ID'],
  async run(app, { positionals: [id = ''] }) {
    const { name } = await performCommand(app, 'tokens.revoke', { id }, { by: 'token revoke' })
    return done(`Revoked ${id} (${name}).\n`)
  },
}
