import { environmentNameOf, flagOf, settings } from '../../config.ts'
import type { Usage } from './command.ts'

/** The help text of one command: how to call it, what it does, each option with its default and variable. */
export function commandHelp(name: string, summary: string, usage: Usage): string {
  const shown = usage.settings.filter((setting) => !('hidden' in settings[setting]))
  const rows = [
    ...Object.entries(usage.options).map(([flag, { placeholder, sentence }]) => [written(flag, placeholder), sentence]),
    ...shown.map((setting) => {
      const { placeholder, sentence, fallback } = settings[setting]
      const standard = fallback === undefined || fallback === '' || fallback === false ? '' : ` Default: ${fallback}.`
      return [written(flagOf(setting), placeholder), `${sentence}${standard} [${environmentNameOf(setting)}]`]
    }),
    ['--help', 'Shows this.'],
  ]
  const call = ['daybook', name, ...usage.positionals, '[options]'].join(' ')
  return `Usage: ${call}\n\n${summary}\n\nOptions:\n${table(rows)}`
}

/** The help text of all: every command with what it does. */
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
