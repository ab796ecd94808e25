import { type CommandApp, done, type Ending } from '../framework/command.ts'

/**
 * Returns the URL at which a user sets a password. The secret is in the fragment, which browsers do not send to
 * servers.
 */
export function passwordLink(origin: string, secret: string): string {
  return `${origin}/admin/set-password#${secret}`
}

/** Returns the output of a command that creates a link with which a user sets a password. */
export function printedLink(app: Pick<CommandApp, 'origin'>, secret: string): Ending {
  return {
    ...done(`${passwordLink(app.origin(), secret)}\n`),
    err: 'The link sets the password once, within the hour.\n',
  }
}
