import { loadSite } from '../storage/site.ts'
import { type CommandApp, done, type Ending } from './command.ts'

/** Prints the link that sets a password with this secret: by the site's address, where it has one. */
export async function printedLink(app: CommandApp, secret: string): Promise<Ending> {
  const { site } = await loadSite(app.db)
  const origin = URL.canParse(site.siteUrl) ? new URL(site.siteUrl).origin : app.origin()
  return {
    ...done(`${origin}/admin/set-password/${secret}\n`),
    err: 'The link sets the password once, within the hour.\n',
  }
}
