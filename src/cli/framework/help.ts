import { environmentNameOf, flagOf, settings } from '../../config.ts'
import type { Usage } from './command.ts'

/** Returns the help text of one command: its usage, purpose and options with defaults and environment variables. */
export function commandHelp(name: string, summary: string, usage: Usage): string {
  const shown = usage.settings.filter((setting) => !('hidden' in settings[setting]))
  const rows = [
    ...Object.entries(usage.options).map(([flag, { placeholder, description }]) => [
      written(flag, placeholder),
      description,
    ]),
    ...shown.map((setting) => {
      const { placeholder, description, fallback } = settings[setting]
      const standard = fallback === undefined || fallback === '' || fallback === false ? '' : ` Default: ${fallback}.`
      return [written(flagOf(setting), placeholder), `${description}${standard} [${environmentNameOf(setting)}]`]
    }),
    ['--help', 'Shows this.'],
  ]
  const call = ['daybook', name, ...usage.positionals, '[options]'].join(' ')
  return `Usage: ${call}\n\n${summary}\n\nOptions:\n${table(rows)}`
}

/** Returns the general help text: every command with its summary. */
export function generalHelp(summaries: ReadonlyMap<string, string>): string {
  return `Usage: daybook <command> [options]\n\nCommands:\n${table([...summaries])}\n"daybook <command> --help" shows a command's options.\n`
}

function written(flag: string, placeholder: string | undefined): string {
  return placeholder === undefined ? `--${flag}` : `--${flag} ${placeholder}`
}

function table(rows: readonly (readonly (string | undefined)[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}${right}\n`).join('')
}
