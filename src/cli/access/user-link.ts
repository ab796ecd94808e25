import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { findUserId } from '../../access/users/users.sql.ts'
import { dataSettings } from '../../config.ts'
import { type DataCommand, refused } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'
import { printedLink } from './one-time-link.ts'

/** Creates a one-time link with which a user of the panel sets a new password; earlier links become invalid. */
export const userLink: DataCommand = {
  on: 'data',
  options: {
    email: { placeholder: 'E', description: 'E-mail address that the user signs in with; required.' },
    'lift-second-factor': {
      description: 'Using the link also removes authenticator app, passkeys and recovery codes.',
    },
  },
  settings: [...dataSettings, 'publicUrl'],
  positionals: [],
  faults: ({ email }) => (typeof email === 'string' ? [] : ['--email is needed: the address the user signs in with.']),
  async run(app, { flags }) {
    const id = await findUserId(app.db, String(flags.email))
    if (id === undefined) return refused(`There is no user with the address ${flags.email}.`)
    const secret = newLinkSecret()
    const liftSecondFactor = flags['lift-second-factor'] === true
    await performCommand(
      app,
      'users.invite',
      { id, liftSecondFactor, linkHash: hashLinkSecret(secret) },
      { by: 'user link' },
    )
    return printedLink(app, secret)
  },
}
