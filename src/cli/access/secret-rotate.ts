import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/**
 * Rotates the site's secret, which signs forms and links, and from which the key of slot ids is derived. Slot ids of
 * the previous secret remain valid for at most 30 minutes, booking forms for at most 24 hours, and links until the next
 * rotation.
 */
export const secretRotate: DataCommand = {
  on: 'data',
  options: {},
  settings: dataSettings,
  positionals: [],
  async run(app) {
    await performCommand(app, 'site.rotate-secret', {}, { by: 'secret rotate' })
    return done('New slot ids are made with a new secret; those already shown stay valid for 30 minutes.\n')
  },
}
