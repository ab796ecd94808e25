import { dataSettings } from '../../config.ts'
import { exportSite } from '../../site-file/export.operations.ts'
import { writeSite } from '../../site-file/write-site-file.routes.ts'
import { type DataCommand, done } from '../framework/command.ts'

/**
 * Exports the site as a site file (a JSON file that describes the site). Applied to an empty site, the file recreates
 * the site with the same ids.
 */
export const exportCommand: DataCommand = {
  on: 'data',
  options: {
    'with-customers': { description: 'Includes customers.' },
    'with-reservations': { description: 'Includes reservations and their customers.' },
  },
  settings: dataSettings,
  positionals: ['[FILE]'],
  into: ({ positionals: [path] }) => (path === '-' ? undefined : path),
  async run(app, { flags, caller }) {
    const reservations = flags['with-reservations'] === true
    const customers = reservations || flags['with-customers'] === true
    const left = await exportSite(app.db, { customers, reservations }, (exported) => writeSite(exported, caller))
    if (left === 0) return done('')
    const which = left === 1 ? 'One reservation was left out: its' : `${left} reservations were left out: their`
    return { ...done(''), err: `${which} service or customer has been removed.\n` }
  },
}
