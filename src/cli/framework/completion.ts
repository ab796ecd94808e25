import { dataSettings, flagOf, settings } from '../../config.ts'
import { type Command, type CommandEntry, done, type ProcessCommand } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** Returns the command that prints a shell completion script, generated from the table of commands. */
export function completionOf(commands: ReadonlyMap<string, CommandEntry>): ProcessCommand {
  return {
    on: 'process',
    options: {},
    // The command reads no data; the settings are accepted because every command accepts them.
    settings: dataSettings,
    positionals: ['SHELL'],
    faults: (_, [shell]) =>
      shell === undefined || shells.some((one) => one === shell) ? [] : [`SHELL must be one of ${shells.join(', ')}.`],
    async run({ positionals: [shell = 'bash'] }) {
      const known = await describeCommands(commands)
      if (shell === 'fish') return done(fish(known))
      // zsh can emulate bash completion, so it gets the same script.
      const prelude = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
      return done(prelude + bash(known))
    },
  }
}

interface Described {
  readonly name: string
  readonly summary: string
  /** The options of the command, each with its description. */
  readonly flags: ReadonlyMap<string, string>
}

function describeCommands(commands: ReadonlyMap<string, CommandEntry>): Promise<Described[]> {
  return Promise.all(
    [...commands].map(async ([name, { summary, load }]) => ({ name, summary, flags: flagsOf(await load()) })),
  )
}

function flagsOf({ options, settings: taken }: Command): Map<string, string> {
  return new Map([
    ...Object.entries(options).map(([flag, { description }]) => [flag, description] as const),
    ...taken
      .filter((name) => !('hidden' in settings[name]))
      .map((name) => [flagOf(name), settings[name].description] as const),
    ['help', 'Shows how to call it.'] as const,
  ])
}

function bash(known: readonly Described[]): string {
  const words = [...new Set(known.map(({ name }) => name.split(' ')[0]))].join(' ')
  const firsts = Map.groupBy(
    known.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] ?? '',
  )
  const seconds = [...firsts].map(
    ([first, of]) => `    ${first}) words="${of.map(({ name }) => name.split(' ')[1]).join(' ')}" ;;`,
  )
  const flags = known.map(
    ({ name, flags }) => `    "${name}") flags="${[...flags.keys()].map((flag) => `--${flag}`).join(' ')}" ;;`,
  )
  return `_daybook() {
  local word="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" words="" flags=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "${words}" -- "$word"))
    return
  fi
  case "$first" in
${seconds.join('\n')}
    completion) words="${shells.join(' ')}" ;;
  esac
  if [[ $COMP_CWORD -eq 2 && -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  local name="$first"
  case "$first" in
    ${[...firsts.keys()].join('|')}) name="$first \${COMP_WORDS[2]}" ;;
  esac
  case "$name" in
${flags.join('\n')}
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _daybook daybook
`
}

function fish(known: readonly Described[]): string {
  const firsts = [...new Set(known.map(({ name }) => name.split(' ')[0] ?? ''))]
  const lines = known.flatMap(({ name, summary, flags }) => {
    const [first = '', second] = name.split(' ')
    const seen = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`
    return [
      second
        ? `complete -c daybook -n '__fish_seen_subcommand_from ${first}' -f -a ${second} -d ${quoted(summary)}`
        : `complete -c daybook -n __fish_use_subcommand -f -a ${first} -d ${quoted(summary)}`,
      ...[...flags].map(
        ([flag, description]) => `complete -c daybook -n '${seen}' -l ${flag} -d ${quoted(description)}`,
      ),
    ]
  })
  const groups = firsts
    .filter((first) => !known.some(({ name }) => name === first))
    .map((first) => `complete -c daybook -n __fish_use_subcommand -f -a ${first}`)
  const shellNames = `complete -c daybook -n '__fish_seen_subcommand_from completion' -f -a '${shells.join(' ')}'`
  return `${[...groups, ...lines, shellNames].join('\n')}\n`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
