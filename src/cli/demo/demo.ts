import type { TokenScope } from '../../access/tokens/token.ts'
import { hashSecret, newSecret } from '../../access/tokens/tokens.operations.ts'
import { listTokens } from '../../access/tokens/tokens.sql.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { beginning, readFeed } from '../../db/log/event-log.ts'
import type { CommandApp } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'
import { demoSite } from './site.ts'
import { demoUsers } from './users.ts'

/** The data that is printed when the demo starts. The password and the tokens are not shown again. */
interface Demo {
  /** Describes the users who can sign in to the panel. */
  readonly users: string
  readonly readToken: string
  readonly writeToken: string
  /** The id of the service in the sample requests; undefined when the site has no active service. */
  readonly serviceId: string | undefined
}

const by = { by: 'serve --demo' }
/** The names of the demo's API tokens; every start of the demo revokes all tokens with these names. */
const tokenNames: Readonly<Record<TokenScope, string>> = { read: 'Demo (read)', write: 'Demo (write)' }
const week = 7 * 86_400

/**
 * Fills the site with the demo clinic if the site has never had data, creates or resets the demo's users, and replaces
 * the demo's API tokens. Returns a function that describes users and tokens, given the API's root URL, which is known
 * only later.
 */
export async function startDemo(app: CommandApp): Promise<(root: string) => string> {
  if (await isUntouched(app)) await fill(app)
  else notice('The site is not empty: it stays as it is. Only the tokens and the sign-in of the demo are new.')
  await revokeTokens(app)
  const { services, providers } = await loadCatalogue(app.db)
  const demo = {
    users: await demoUsers(app, providers[0]?.id),
    readToken: await makeToken(app, 'read'),
    writeToken: await makeToken(app, 'write'),
    serviceId: services.find(({ settings }) => settings.active)?.id,
  }
  return (root) => textOf(demo, root, app.now())
}

/** Describes the demo's users and API tokens, with three sample requests that need only curl. */
function textOf({ users, readToken, writeToken, serviceId }: Demo, root: string, now: number): string {
  const services = serviceId === undefined ? '' : `&services=${serviceId}`
  const slots = `/availability/get/?min_timestamp=${now}&max_timestamp=${now + week}${services}&per_page=10`
  const requests = ['/auth/verify/', '/services/get/', slots].map(
    // The sample commands use double quotes, which work in every shell.
    (path) => `curl -s -w "\\n" -H "Authorization: Bearer ${readToken}" "${root}${path}"\n`,
  )
  return `${users}Read token: ${readToken}\nWrite token: ${writeToken}\n\nTo begin with, paste these lines into another terminal:\n${requests.join('')}`
}

/** Whether the site has never had data; a site that was emptied by hand is not filled again. */
async function isUntouched({ db }: CommandApp): Promise<boolean> {
  const { services, providers } = await loadCatalogue(db)
  const kinds = ['site', 'service', 'provider', 'customer', 'reservation']
  const { events } = await readFeed(db, { after: beginning, limit: 1, kinds })
  return services.length + providers.length + events.length === 0
}

async function fill(app: CommandApp): Promise<void> {
  const patience = setTimeout(() => notice('Filling the site with the demo clinic …'), 1_000).unref()
  const { services, providers, customers, reservations } = await performCommand(
    app,
    'site.apply',
    demoSite(app.now()),
    by,
  )
  clearTimeout(patience)
  const counts = Object.entries({ providers, services, customers, reservations }).map(
    ([kind, { added }]) => `${added.length} ${kind}`,
  )
  notice(`The site was empty: it is now the demo clinic, with ${counts.join(', ')}.`)
}

async function revokeTokens(app: CommandApp): Promise<void> {
  const names = Object.values(tokenNames)
  const old = (await listTokens(app.db)).filter(({ name, revokedAt }) => names.includes(name) && revokedAt === null)
  for (const { id } of old) await performCommand(app, 'tokens.revoke', { id }, by)
}

async function makeToken(app: CommandApp, scope: TokenScope): Promise<string> {
  const secret = newSecret()
  await performCommand(
    app,
    'tokens.create',
    { name: tokenNames[scope], scope, hash: hashSecret(secret), expiresAt: null },
    by,
  )
  return secret
}

function notice(sentence: string): void {
  process.stderr.write(`NOTICE: ${sentence}\n`)
}
