import { type CommandApp, done, type Ending } from '../framework/command.ts'

/** The address that sets a password with this secret, which stands in the fragment: no server is ever sent it. */
export function passwordLink(origin: string, secret: string): string {
  return `${origin}/admin/set-password#${secret}`
}

/** Prints the link that sets a password with this secret. */
export function printedLink(app: Pick<CommandApp, 'origin'>, secret: string): Ending {
  return {
    ...done(`${passwordLink(app.origin(), secret)}\n`),
    err: 'The link sets the password once, within the hour.\n',
  }
}
