import { open, readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import packageFile from '../../../package.json' with { type: 'json' }
import { isDatabaseFile } from '../../db/data-dir.ts'
import { cliCommands, findCommand } from '../commands.ts'
import { writeAtomically } from '../data/atomic-file.ts'
import { readArguments } from './arguments.ts'
import { localCaller, withProgress } from './caller.ts'
import type { CommandCaller, CommandHandler, Ending } from './command.ts'
import { done, refusedFile, usageError } from './command.ts'
import { commandHelp, generalHelp } from './help.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Runs the command that the arguments name and returns its result, or returns help, the version or a usage error. */
export async function run(argv: readonly string[], environment: Environment): Promise<Ending> {
  const found = findCommand(argv)
  if (!found) return withoutCommand(argv[0])
  const { name, entry, rest } = found
  const command = await entry.load()
  const read = readArguments(command, rest, environment)
  if ('help' in read) return done(commandHelp(name, entry.summary, command))
  if ('faults' in read) return usageError(name, read.faults)
  if (command.on === 'process') return command.run({ ...read.call, file: '', caller: localCaller() }, runInServer)
  const { runOnData } = await import('./data.ts')
  const file = await fileOf(command.file?.(read.call))
  const work = (caller: CommandCaller) => runOnData(command, { ...read.call, file, caller }, { argv, file })
  const into = command.into?.(read.call)
  if (into !== undefined && isDatabaseFile(into, read.call.config.dataDir)) return refusedFile(into)
  return printingTo(into, (own) => (command.endless ? work(own) : withProgress(own, name, work)))
}

const runInServer: CommandHandler = async (app, { argv, file }, caller) => {
  const found = findCommand(argv)
  const command = await found?.entry.load()
  if (!found || command?.on !== 'data') return withoutCommand(argv.join(' '))
  // The server already has the data open, and the caller has applied its own settings to find the server. The settings
  // in this process's environment are therefore not read.
  const read = readArguments(command, found.rest, {})
  if (!('call' in read)) return usageError(found.name, 'faults' in read ? read.faults : [])
  return command.run(app, { ...read.call, file, caller })
}

async function printingTo(path: string | undefined, work: (caller: CommandCaller) => Promise<Ending>): Promise<Ending> {
  if (path === undefined) return work(localCaller())
  let ending = done('')
  await writeAtomically(path, async (partial) => {
    const file = await open(partial, 'w')
    try {
      ending = await work(localCaller(file))
    } finally {
      await file.close()
    }
    return ending.exit === 0
  })
  return ending
}

function withoutCommand(word: string | undefined): Ending {
  const help = generalHelp(new Map([...cliCommands].map(([name, { summary }]) => [name, summary])))
  if (word === '--help' || word === '-h' || word === 'help') return done(help)
  if (word === '--version') return done(`${packageFile.version}\n`)
  const wrong = word === undefined ? '' : `There is no command "${word}".\n\n`
  return { exit: 2, out: '', err: wrong + help }
}

async function fileOf(path: string | undefined): Promise<string> {
  if (path === undefined) return ''
  return path === '-' ? text(process.stdin) : readFile(path, 'utf8')
}
