import { dataSettings } from '../../config.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

/**
 * Rotates the site's secret, which signs forms, and from which the key of slot ids is derived. Slot ids of the previous
 * secret remain valid for at most 30 minutes, and forms for at most 24 hours. With `--links`, replaces the secret of
 * customers' links instead, so that every link sent so far becomes void.
 */
export const secretRotate: DataCommand = {
  on: 'data',
  options: {
    links: {
      description:
        'Replaces the secret of links instead: all links in mails to customers become void; new mails contain new ones.',
    },
  },
  settings: dataSettings,
  positionals: [],
  async run(app, { flags }) {
    const links = flags.links === true
    await performCommand(app, 'site.rotate-secret', { links }, { by: 'secret rotate' })
    if (links) return done('Links that customers got so far are void; new mails contain new ones.\n')
    return done('New slot ids are made with a new secret; those already shown stay valid for 30 minutes.\n')
  },
}
