import type { Config, SettingName } from '../../config.ts'
import type { Daybook } from '../../operations.ts'

/** An option of one command, in addition to the settings that it accepts. */
export interface Option {
  /** The placeholder of the value in help texts; an option without a placeholder is a switch. */
  readonly placeholder?: string
  readonly description: string
}

/** The options, settings and arguments that a command accepts, for its help text and for parsing. */
export interface Usage {
  /** The options of the command, by name without dashes. */
  readonly options: Readonly<Record<string, Option>>
  readonly settings: readonly SettingName[]
  /** The names of the positional arguments in order; an argument in brackets is optional. */
  readonly positionals: readonly string[]
  /** Returns the errors in the values of options and arguments, before the command does anything. */
  faults?(flags: Flags, positionals: readonly string[]): readonly string[]
}

/** The values of options by name; true for a switch. */
export type Flags = Readonly<Record<string, string | true>>

/** The caller of a command, in this process or at the other end of the server's socket. */
export interface CommandCaller {
  /** Writes a part of the command's output to stdout or to its output file; resolves once more can be written. */
  write(text: string): Promise<void>
  /** Reports progress on stderr; `message` has no line break. */
  note(message: string): void
}

/** One call of a command with parsed arguments. */
export interface CommandCall {
  readonly flags: Flags
  readonly positionals: readonly string[]
  readonly config: Config
  /** The content of the file that the command reads; empty for a command that reads none. */
  readonly file: string
  readonly caller: CommandCaller
}

/** A call of a command before its file is read. */
export type Typed = Omit<CommandCall, 'file' | 'caller'>

/**
 * The result of a command. `exit` is 0 for success, 1 for a refusal and 2 for a usage error; texts end with a line
 * break.
 */
export interface Ending {
  readonly exit: 0 | 1 | 2
  readonly out: string
  readonly err: string
}

/** The parts of the service that commands use: its storage, clock, log and configuration. */
export interface CommandApp extends Daybook {
  /** The migrations that were applied when the data was opened for this command. */
  readonly migrated: readonly string[]
  /** The directory of the embedded database; undefined on PostgreSQL. */
  readonly dataDir: string | undefined
  /** The keys that encrypt stored secrets, from the configuration; undefined when the configuration contains none. */
  readonly secretKey: string | undefined
  /**
   * Returns the public origin, with which links for users begin: `--public-url`, or the address on which the server
   * listens.
   */
  origin(): string
}

/**
 * A command that reads or writes the site's data. On SQLite, it runs in the server that has the data open, if there is
 * one. Otherwise, it runs in the caller's process, which opens the data temporarily.
 */
export interface DataCommand extends Usage {
  readonly on: 'data'
  /** Returns the path of the file that the caller's process reads before the command runs. */
  readonly file?: (call: Typed) => string | undefined
  /** Returns the path of the file to which the caller's process writes the output; undefined for stdout. */
  readonly into?: (call: Typed) => string | undefined
  /**
   * Whether the command runs until it is interrupted; the caller is then not notified every second that the command is
   * still running.
   */
  readonly endless?: true
  run(app: CommandApp, call: CommandCall): Promise<Ending>
}

/** A command as it is sent to the server: its arguments, and the content of its file. */
export interface CommandRequest {
  readonly argv: readonly string[]
  readonly file: string
}

/** Runs a command that the server received through its socket, using the data that the server has open. */
export type CommandHandler = (app: CommandApp, request: CommandRequest, caller: CommandCaller) => Promise<Ending>

/**
 * A command that runs in the caller's process. `handle` runs the data commands that other processes send through the
 * server's socket; the command `serve` uses it.
 */
export interface ProcessCommand extends Usage {
  readonly on: 'process'
  run(call: CommandCall, handle: CommandHandler): Promise<Ending>
}

/** A command of the command line. */
export type Command = DataCommand | ProcessCommand

/** A command in the table of commands; its module is loaded when it is called. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command>
}

/** Returns the result of a successful command, with its output for stdout. */
export function done(out: string): Ending {
  return { exit: 0, out, err: '' }
}

/** Returns the result of a refused command, with one line per sentence for stderr. */
export function refused(...sentences: readonly string[]): Ending {
  return { exit: 1, out: '', err: lines(sentences) }
}

/** Returns the result of a command whose output file would replace the database. */
export function refusedFile(path: string): Ending {
  return refused(`${path} is the database itself; choose another file.`)
}

/** Returns the result of a command with a usage error, with a pointer to the help text. */
export function usageError(name: string, sentences: readonly string[]): Ending {
  return { exit: 2, out: '', err: lines([...sentences, `"daybook ${name} --help" shows how to call it.`]) }
}

function lines(sentences: readonly string[]): string {
  return sentences.map((sentence) => `${sentence}\n`).join('')
}
