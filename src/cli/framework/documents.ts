import { dataSettings, environmentNameOf, flagOf, type SettingName, settings } from '../../config.ts'
import { siteFileDocument } from '../../contract/site-file.ts'
import { payloadDocument } from '../../contract/webhook-payload.ts'
import { metricsPage } from '../../metrics/page.ts'
import { cliCommands } from '../commands.ts'
import { webhooksPage } from '../webhooks/webhooks-page.ts'
import type { Command } from './command.ts'

/** Returns the text of every document that `npm run docs` generates from the code, by its path in the repository. */
export async function documents(): Promise<Map<string, string>> {
  return new Map([
    ['docs/commands.md', await commandsPage()],
    ['docs/configuration.md', configurationPage()],
    ['docs/metrics.md', metricsPage()],
    ['docs/site-file.schema.json', siteFileDocument()],
    ['docs/webhooks.md', await webhooksPage()],
    ['docs/webhooks.schema.json', payloadDocument()],
  ])
}

const notice = '<!-- Made by "npm run docs" from the code; edit it there. -->'

async function commandsPage(): Promise<string> {
  const sections = await Promise.all(
    [...cliCommands].map(async ([name, { summary, load }]) => section(name, summary, await load())),
  )
  return `# Commands

${notice}

Each command has \`--help\`. It exits with 0 on success, 1 when it is refused, with a message on stderr, and 2 on a usage
error. Results are on stdout, notices on stderr. Every command accepts \`--data-dir\` or \`--database-url\` (see
[configuration](configuration.md)) and works while the service runs on the same data, except \`copy\`, \`restore\` and
\`vacuum\`, which need it stopped; its changes take effect within a second. \`backup\` and \`restore FILE\` are for the
embedded database alone. A command that needs a database creates it if there is none.

${sections.join('\n')}`
}

function section(name: string, summary: string, { options, settings: taken, positionals }: Command): string {
  const own = Object.entries(options).map(([flag, { placeholder, description }]) => row(flag, placeholder, description))
  const further = taken.filter((setting) => !dataSettings.includes(setting) && !isHidden(setting))
  const more = further.map((setting) => `\`--${flagOf(setting)}\``).join(', ')
  const table = own.length > 0 ? `\n| Option | Does |\n|---|---|\n${own.join('')}` : ''
  const rest = more === '' ? '' : `\nAlso accepts the settings ${more}.\n`
  return `## ${[name, ...positionals].join(' ')}\n\n${summary}\n${table}${rest}`
}

function row(flag: string, placeholder: string | undefined, description: string): string {
  return `| \`--${flag}${placeholder === undefined ? '' : ` ${cellText(placeholder)}`}\` | ${description} |\n`
}

/** Returns a text for a cell of a Markdown table, which an unescaped `|` would end. */
function cellText(text: string): string {
  return text.replaceAll('|', '\\|')
}

function configurationPage(): string {
  const shown = names().filter((name) => !isHidden(name))
  const hidden = names().filter(isHidden)
  return `# Configuration

${notice}

Every setting is a command-line option or an environment variable; the command line takes precedence, and an empty
variable counts as unset.

| Option | Variable | Default | Sets |
|---|---|---|---|
${shown.map(settingRow).join('')}
Environment variables without an option:

| Variable | Sets |
|---|---|
${hidden.map((name) => `| \`${environmentNameOf(name)}\` | ${settings[name].description} |\n`).join('')}`
}

function settingRow(name: SettingName): string {
  const { placeholder, description, fallback } = settings[name]
  const standard = fallback === undefined || fallback === '' || fallback === false ? 'none' : `\`${fallback}\``
  return `| \`--${flagOf(name)} ${cellText(placeholder)}\` | \`${environmentNameOf(name)}\` | ${standard} | ${description} |\n`
}

function names(): SettingName[] {
  return Object.keys(settings).filter((name): name is SettingName => name in settings)
}

function isHidden(name: SettingName): boolean {
  return 'hidden' in settings[name]
}
