import { hashPassword } from '../../access/passwords/password-hash.ts'
import { newPasswordFault } from '../../access/passwords/password-strength.ts'
import { userRoles } from '../../access/users/user.ts'
import { hashLinkSecret, newLinkSecret } from '../../access/users/users.operations.ts'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import { dataSettings } from '../../config.ts'
import { formats } from '../../http/request/formats.ts'
import { sentence } from '../../messages/sentence.ts'
import { type DataCommand, done, refused } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'
import { printedLink } from './one-time-link.ts'

/** Creates a user of the panel, with the password read from stdin or with a one-time link to set a password. */
export const userCreate: DataCommand = {
  on: 'data',
  options: {
    email: { placeholder: 'E', description: 'E-mail address to sign in with; required.' },
    role: { placeholder: userRoles.join('|'), description: 'Role of the user; required.' },
    name: { placeholder: 'N', description: 'Name of the user.' },
    provider: { placeholder: 'ID', description: 'Provider to link the user to; for the role provider.' },
    'password-stdin': { description: 'Reads the password from stdin; without it, a link to set one is printed.' },
  },
  settings: [...dataSettings, 'publicUrl'],
  positionals: [],
  file: ({ flags }) => (flags['password-stdin'] === true ? '-' : undefined),
  faults: ({ email, role, name, provider }) => [
    ...(isEmail(email) ? [] : ['--email is needed: an address such as name@example.com.']),
    ...(userRoles.some((one) => one === role) ? [] : [`--role is needed: ${userRoles.join(', ')}.`]),
    ...(name === undefined || isName(name) ? [] : ['--name must be one line of 1 to 200 characters.']),
    ...(provider === undefined || /^[1-9]\d{0,14}$/.test(String(provider)) ? [] : ['--provider must be an id.']),
    ...(provider === undefined || role === 'provider' ? [] : ['--provider goes with --role provider alone.']),
  ],
  async run(app, { flags, file }) {
    const input = {
      email: String(flags.email),
      role: userRoles.find((one) => one === flags.role) ?? 'provider',
      name: typeof flags.name === 'string' ? flags.name.trim() : '',
      providerId: flags.provider === undefined ? null : Number(flags.provider),
    }
    if (flags['password-stdin'] !== true) {
      const secret = newLinkSecret()
      await performCommand(
        app,
        'users.create',
        { ...input, entry: { linkHash: hashLinkSecret(secret) } },
        { by: 'user create' },
      )
      return printedLink(app, secret)
    }
    const password = file.replace(/\r?\n$/, '')
    const { site } = await loadSite(app.db)
    const fault = await newPasswordFault(password, { name: input.name, email: input.email, siteName: site.name })
    if (fault !== undefined) return refused(`No user was made: ${sentence(fault)}`)
    const passwordHash = await hashPassword(password)
    const { id } = await performCommand(
      app,
      'users.create',
      { ...input, entry: { passwordHash } },
      { by: 'user create' },
    )
    return done(`${id}\n`)
  },
}

function isEmail(text: string | true | undefined): boolean {
  return typeof text === 'string' && text.length <= 254 && formats.get('email')?.test(text) === true
}

function isName(text: string | true): boolean {
  if (typeof text !== 'string') return false
  const name = text.trim()
  return name !== '' && name.length <= 200 && name.isWellFormed() && !/\p{Cc}/u.test(name)
}
