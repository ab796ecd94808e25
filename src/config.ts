import { isIP } from 'node:net'
import { parseSmtpUrl } from './mail/smtp-url.ts'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
const logLevels: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'silent']

/** One setting of an installation: given on the command line, in the environment, or not at all. */
interface Setting<Value> {
  /** The placeholder of the setting's value in help texts, such as `P` for a port. */
  readonly placeholder: string
  readonly description: string
  readonly fallback: Value
  /** Parses the text of a setting to its value; undefined for invalid text. */
  read(text: string): Value | undefined
  /** Which values are valid, as the end of the sentence "must be …" in an error message. */
  readonly expects: string
  /** Whether the setting is read from the environment only. */
  readonly hidden?: true
}

/**
 * All settings. `dataDir`, for example, is `--data-dir` on the command line and `DAYBOOK_DATA_DIR` in the environment.
 */
export const settings = {
  host: setting<string>({
    placeholder: 'H',
    description: 'Address to listen on.',
    fallback: '127.0.0.1',
    read: (text) => (/\s/.test(text) ? undefined : text),
    expects: 'an address or a host name',
  }),
  port: setting<number>({
    placeholder: 'P',
    description: 'Port to listen on; 0 takes any free port.',
    fallback: 8080,
    read: (text) => whole(text, 65_535),
    expects: 'a whole number from 0 to 65535',
  }),
  dataDir: setting<string>({
    placeholder: 'D',
    description: 'Directory of the embedded database; created if missing.',
    fallback: './data',
    read: (text) => (text.includes('\0') ? undefined : text),
    expects: 'a path',
  }),
  databaseUrl: setting<string | undefined>({
    placeholder: 'URL',
    description:
      'PostgreSQL database (postgres://user:password@host/name) to use instead of the embedded one. With ?prepared_statements=no no prepared statement has a name, for a pooler in transaction mode.',
    fallback: undefined,
    read: (text) => urlWith(text, ['postgres:', 'postgresql:']),
    expects: 'an address that begins with postgres://',
  }),
  databasePool: setting<number>({
    placeholder: 'N',
    description: 'Size of the PostgreSQL connection pool; webhooks and mail take four connections more.',
    fallback: 10,
    read: (text) => atLeastOne(whole(text, 1_000)),
    expects: 'a whole number from 1 to 1000',
  }),
  workers: setting<number>({
    placeholder: 'N',
    description:
      'Threads that answer requests, for machines with several processors (Linux only). Each has its own caches, limits per client and PostgreSQL pool.',
    fallback: 1,
    read: (text) => atLeastOne(whole(text, 64)),
    expects: 'a whole number from 1 to 64',
  }),
  drainSeconds: setting<number>({
    placeholder: 'N',
    description:
      'Seconds for which a service that was told to stop still answers while /health/ready says 503, so that a balancer sends nothing more. A second signal ends them. What kills the service after a time, such as TimeoutStopSec of systemd, must wait 15 seconds longer.',
    fallback: 0,
    read: (text) => whole(text, 300),
    expects: 'a whole number from 0 to 300',
  }),
  siteUrl: setting<string>({
    placeholder: 'URL',
    description: 'Address of the site, until a site file or the panel sets it.',
    fallback: '',
    read: (text) => urlWith(text, ['http:', 'https:']),
    expects: 'an address that begins with http:// or https://',
  }),
  publicUrl: setting<string | undefined>({
    placeholder: 'URL',
    description:
      'Address under which browsers reach this service, such as https://book.example. Links for users and passkeys use it; without one, links name the address it listens on.',
    fallback: undefined,
    read: (text) => originIn(text),
    expects: 'an address such as https://book.example, without a path',
  }),
  trustProxy: setting<string | false>({
    placeholder: 'ADDRESSES',
    description:
      'Proxies whose X-Forwarded-For is trusted: addresses or ranges such as 10.0.0.0/8, separated by commas.',
    fallback: false,
    read: (text) => (text.split(',').every((item) => isAddress(item.trim())) ? text : undefined),
    expects: 'addresses or ranges with commas between them',
  }),
  trustForwardedHost: setting<boolean>({
    placeholder: 'yes|no',
    description:
      'Trusts X-Forwarded-Host and X-Forwarded-Proto of the proxies named by --trust-proxy too. Only for a proxy that sets both itself and cannot pass Host on.',
    fallback: false,
    read: (text) =>
      new Map([
        ['yes', true],
        ['no', false],
      ]).get(text),
    expects: 'yes or no',
  }),
  wrongTokensPerMinute: setting<number>({
    placeholder: 'N',
    description: 'Wrong API tokens per minute from one address before it is answered 429.',
    fallback: 1_000,
    read: (text) => atLeastOne(whole(text, 1_000_000)),
    expects: 'a whole number from 1 to 1000000',
  }),
  maxRequests: setting<number>({
    placeholder: 'N',
    description:
      'Requests in progress at once, at most half of them unauthenticated; further requests are answered 503 immediately.',
    fallback: 1_000,
    read: (text) => atLeastOne(whole(text, 100_000)),
    expects: 'a whole number from 1 to 100000',
  }),
  maxConnections: setting<number>({
    placeholder: 'N',
    description:
      'Connections that one address, or one IPv6 /64, may have open at once; proxies named by --trust-proxy are exempt.',
    fallback: 512,
    read: (text) => atLeastOne(whole(text, 100_000)),
    expects: 'a whole number from 1 to 100000',
  }),
  availabilityMemory: setting<number>({
    placeholder: 'MB',
    description: 'Size of the availability cache in megabytes; 0 disables it.',
    fallback: 32,
    read: (text) => whole(text, 65_536),
    expects: 'a whole number from 0 to 65536',
  }),
  pageLanguages: setting<string | undefined>({
    placeholder: 'DIR',
    description: 'Directory with further languages of the booking page, one JSON file each, such as ar.json.',
    fallback: undefined,
    read: (text) => text,
    expects: 'a directory',
  }),
  metricsToken: setting<string | undefined>({
    placeholder: 'SECRET',
    description: 'Bearer token for /metrics from anywhere; without one, only programs on this machine may read it.',
    fallback: undefined,
    read: (text) => (/^[\x21-\x7e]{16,200}$/.test(text) ? text : undefined),
    expects: '16 to 200 visible ASCII characters',
    hidden: true,
  }),
  secretKey: setting<string | undefined>({
    placeholder: 'KEY',
    description:
      'Key that encrypts stored secrets (second factors, and the credentials of payment processor, mail server, gateway, webhooks, calendars and host site): 64 hexadecimal digits, the same on every node. During a rotation, two keys separated by a comma: the first encrypts, both decrypt. Required with PostgreSQL; the embedded database keeps one in the data directory.',
    fallback: undefined,
    read: (text) => (/^[0-9a-f]{64}(,[0-9a-f]{64})?$/i.test(text) ? text : undefined),
    expects: '64 hexadecimal digits, such as "openssl rand -hex 32" prints, or two such keys with a comma between them',
    hidden: true,
  }),
  outboundNetworks: setting<string>({
    placeholder: 'ADDRESSES',
    description:
      'Addresses or ranges such as 10.0.0.0/8, separated by commas, that webhooks, connected calendars and the SMS gateway may reach although they are not public; there also over plain http. Every user who may connect a calendar can then have the service send requests there.',
    fallback: '',
    read: (text) => (text.split(',').every((item) => isAddress(item.trim())) ? text : undefined),
    expects: 'addresses or ranges with commas between them',
  }),
  smtpUrl: setting<string | undefined>({
    placeholder: 'URL',
    description:
      'SMTP server for mail instead of the one set in the panel: smtps://user:password@host (TLS, port 465), smtp://… (STARTTLS, port 587) or smtp+insecure://… (no encryption, port 25). User and password are percent-encoded.',
    fallback: undefined,
    read: (text) => (parseSmtpUrl(text) ? text : undefined),
    expects: 'an address such as smtps://user:password@mail.example.com',
    hidden: true,
  }),
  stripeUrl: setting<string>({
    placeholder: 'URL',
    description: 'Address of the API of Stripe; another one is for tests, such as stripe-mock.',
    fallback: 'https://api.stripe.com',
    read: originIn,
    expects: 'an address such as https://api.stripe.com, without a path',
    hidden: true,
  }),
  googleUrl: setting<string>({
    placeholder: 'URL',
    description:
      'Address of another server that speaks the API of Google Calendar, for tests; Google itself when empty.',
    fallback: '',
    read: originIn,
    expects: 'an address such as http://127.0.0.1:8080, without a path',
    hidden: true,
  }),
  microsoftUrl: setting<string>({
    placeholder: 'URL',
    description:
      'Address of another server that speaks the API of Microsoft 365, for tests; Microsoft itself when empty.',
    fallback: '',
    read: originIn,
    expects: 'an address such as http://127.0.0.1:8080, without a path',
    hidden: true,
  }),
  logLevel: setting<LogLevel>({
    placeholder: 'LEVEL',
    description: `What to log on stderr: ${logLevels.join(', ')}.`,
    fallback: 'info',
    read: (text) => logLevels.find((level) => level === text),
    expects: `one of ${logLevels.join(', ')}`,
  }),
  now: setting<number | undefined>({
    placeholder: 'SECONDS',
    description: 'Unix seconds at which the clock starts; for tests and demonstrations only.',
    fallback: undefined,
    read: (text) => whole(text, 32_503_680_000),
    expects: 'Unix seconds',
    hidden: true,
  }),
}

export type SettingName = keyof typeof settings
export type Config = { readonly [Name in SettingName]: (typeof settings)[Name]['fallback'] }
const table: { readonly [Name in SettingName]: Setting<Config[Name]> } = settings

/** The settings that select the database; every command accepts them. */
export const dataSettings: readonly SettingName[] = ['dataDir', 'databaseUrl']

/** Returns the command-line name of a setting: `dataDir` becomes `data-dir`. */
export function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Returns the environment variable of a setting: `dataDir` becomes `DAYBOOK_DATA_DIR`. */
export function environmentNameOf(name: string): string {
  return `DAYBOOK_${flagOf(name).replaceAll('-', '_').toUpperCase()}`
}

/**
 * Returns the configuration from the command line (`flags`, by names such as `data-dir`) and the environment. The
 * command line takes precedence, and an empty environment variable counts as absent. When settings are invalid, returns
 * all faults instead.
 */
export function readConfig(
  flags: Readonly<Record<string, string | true>>,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly config: Config } | { readonly faults: readonly string[] } {
  const faults: string[] = []
  const value = <Name extends SettingName>(name: Name): Config[Name] => {
    const { fallback, read, expects, hidden } = table[name]
    const flag = hidden ? undefined : flags[flagOf(name)]
    const text = typeof flag === 'string' ? flag : environment[environmentNameOf(name)]
    if (text === undefined || (text === '' && flag === undefined)) return fallback
    const found = text === '' ? undefined : read(text)
    if (found === undefined) {
      faults.push(`${flag === undefined ? environmentNameOf(name) : `--${flagOf(name)}`} must be ${expects}.`)
    }
    return found ?? fallback
  }
  const config: Config = {
    host: value('host'),
    port: value('port'),
    dataDir: value('dataDir'),
    databaseUrl: value('databaseUrl'),
    databasePool: value('databasePool'),
    workers: value('workers'),
    drainSeconds: value('drainSeconds'),
    siteUrl: value('siteUrl'),
    publicUrl: value('publicUrl'),
    trustProxy: value('trustProxy'),
    trustForwardedHost: value('trustForwardedHost'),
    wrongTokensPerMinute: value('wrongTokensPerMinute'),
    maxRequests: value('maxRequests'),
    maxConnections: value('maxConnections'),
    availabilityMemory: value('availabilityMemory'),
    pageLanguages: value('pageLanguages'),
    metricsToken: value('metricsToken'),
    secretKey: value('secretKey'),
    outboundNetworks: value('outboundNetworks'),
    smtpUrl: value('smtpUrl'),
    stripeUrl: value('stripeUrl'),
    googleUrl: value('googleUrl'),
    microsoftUrl: value('microsoftUrl'),
    logLevel: value('logLevel'),
    now: value('now'),
  }
  if (flags['data-dir'] !== undefined && flags['database-url'] !== undefined) {
    faults.push('Give either --data-dir or --database-url: the data is in one place.')
  }
  if (faults.length > 0) return { faults }
  // `--data-dir` on the command line takes precedence over a database URL in the environment.
  const embedded = flags['data-dir'] !== undefined
  return { config: embedded ? { ...config, databaseUrl: undefined } : config }
}

/**
 * Returns the origin under which browsers reach the service: `--public-url`, or the listening address. For an address
 * that stands for all addresses of the machine, such as `0.0.0.0`, the host is `localhost`: browsers open no such
 * address, or do not treat it as secure.
 */
export function originOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  const reached = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return publicUrl ?? `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

function setting<Value>(of: Setting<Value>): Setting<Value> {
  return of
}

function whole(text: string, most: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined
  return Number(text) <= most ? Number(text) : undefined
}

function atLeastOne(value: number | undefined): number | undefined {
  return value === 0 ? undefined : value
}

function urlWith(text: string, protocols: readonly string[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && protocols.includes(url.protocol) ? text : undefined
}

/**
 * Returns the origin of an HTTP or HTTPS URL that consists only of an origin, with or without a final slash; undefined
 * for any other text.
 */
function originIn(text: string): string | undefined {
  if (urlWith(text, ['http:', 'https:']) === undefined) return undefined
  const url = new URL(text)
  // `href` equals the origin with a slash only when the URL has no path, query, fragment or user.
  return url.href === `${url.origin}/` ? url.origin : undefined
}

function isAddress(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return bits === undefined || whole(bits, family === 4 ? 32 : 128) !== undefined
}
