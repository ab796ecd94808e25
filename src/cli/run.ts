import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import packageFile from '../../package.json' with { type: 'json' }
import { readArguments } from './arguments.ts'
import type { Answer, Call, Ending } from './command.ts'
import { done, misused } from './command.ts'
import { commands, findCommand } from './commands.ts'
import { commandHelp, generalHelp } from './help.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Runs the command that the arguments name, to its end. */
export async function run(argv: readonly string[], environment: Environment): Promise<Ending> {
  const found = findCommand(argv)
  if (!found) return withoutCommand(argv[0])
  const { name, entry, rest } = found
  const command = await entry.load()
  const read = readArguments(command, rest, environment)
  if ('help' in read) return done(commandHelp(name, entry.summary, command))
  if ('faults' in read) return misused(name, read.faults)
  if (command.on === 'process') return command.run({ ...read.call, file: '' }, runInServer)
  const { runOnData } = await import('./data.ts')
  const call = { ...read.call, file: await fileOf(command.file?.(read.call)) }
  return runOnData(command, call, { argv, file: call.file })
}

const runInServer: Answer = async (app, { argv, file }) => {
  const found = findCommand(argv)
  const command = await found?.entry.load()
  if (!found || command?.on !== 'data') return withoutCommand(argv.join(' '))
  // Where the data is has been settled by whom the caller asked; this server's own settings do not matter here.
  const read = readArguments(command, found.rest, {})
  if (!('call' in read)) return misused(found.name, 'faults' in read ? read.faults : [])
  const call: Call = { ...read.call, file }
  return command.run(app, call)
}

function withoutCommand(word: string | undefined): Ending {
  const help = generalHelp(new Map([...commands].map(([name, { summary }]) => [name, summary])))
  if (word === '--help' || word === '-h' || word === 'help') return done(help)
  if (word === '--version') return done(`${packageFile.version}\n`)
  const wrong = word === undefined ? '' : `There is no command "${word}".\n\n`
  return { exit: 2, out: '', err: wrong + help }
}

async function fileOf(path: string | undefined): Promise<string> {
  if (path === undefined) return ''
  return path === '-' ? text(process.stdin) : readFile(path, 'utf8')
}
