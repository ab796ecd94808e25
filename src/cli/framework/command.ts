import type { Config, SettingName } from '../../config.ts'
import type { Daybook } from '../../operations.ts'

/** An option of one command, in addition to its settings. */
export interface Option {
  /** The placeholder of the value in help texts; an option without a placeholder is a switch. */
  readonly placeholder?: string
  readonly description: string
}

/** The options, settings and arguments of a command, for its help text and for parsing. */
export interface Usage {
  /** The options by name without dashes. */
  readonly options: Readonly<Record<string, Option>>
  readonly settings: readonly SettingName[]
  /** The positional arguments in order; an argument in brackets is optional. */
  readonly positionals: readonly string[]
  /** Returns the errors in the values, before the command does anything. */
  faults?(flags: Flags, positionals: readonly string[]): readonly string[]
}

/** The values of options by name; true for a switch. */
export type Flags = Readonly<Record<string, string | true>>

/** The caller of a command, in this process or at the other end of the server's socket. */
export interface CommandCaller {
  /** Prints output that is too long to be buffered; resolves once there is room for more. */
  write(text: string): Promise<void>
  /** Reports progress on stderr; without a line break. */
  note(message: string): void
}

/** One call of a command with parsed arguments. */
export interface CommandCall {
  readonly flags: Flags
  readonly positionals: readonly string[]
  readonly config: Config
  /** The content of the file that the command reads, if any. */
  readonly file: string
  readonly caller: CommandCaller
}

/** A call before its file is read. */
export type Typed = Omit<CommandCall, 'file' | 'caller'>

/** The result of a command: exit code 0 done, 1 refused, 2 usage error; texts end with a line break. */
export interface Ending {
  readonly exit: 0 | 1 | 2
  readonly out: string
  readonly err: string
}

/** The service in the form that commands receive. */
export interface CommandApp extends Daybook {
  /** The migrations that were applied when the data was opened for this command. */
  readonly migrated: readonly string[]
  /** The directory of the embedded database; undefined on PostgreSQL. */
  readonly dataDir: string | undefined
  /** The keys that encrypt secrets, if the configuration contains them; undefined otherwise. */
  readonly secretKey: string | undefined
  /** Returns the public origin, with which links for users begin: `--public-url`, or the address on which the server listens. */
  origin(): string
}

/**
 * A command on data. It runs in the server that has the data open, or else in a process that opens the data
 * temporarily.
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

/** A command as sent to the server: its arguments, and the content of its file. */
export interface CommandRequest {
  readonly argv: readonly string[]
  readonly file: string
}

/** Runs a command from the socket on the data that this server has open. */
export type CommandHandler = (app: CommandApp, request: CommandRequest, caller: CommandCaller) => Promise<Ending>

/** A command that runs in the caller's process; `serve` also handles commands from the socket. */
export interface ProcessCommand extends Usage {
  readonly on: 'process'
  run(call: CommandCall, handle: CommandHandler): Promise<Ending>
}

/** Any command. */
export type Command = DataCommand | ProcessCommand

/** A command in the table of commands; its module is loaded when it is called. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command>
}

/** Returns success with the output for stdout. */
export function done(out: string): Ending {
  return { exit: 0, out, err: '' }
}

/** Returns a refusal, one line per sentence on stderr. */
export function refused(...sentences: readonly string[]): Ending {
  return { exit: 1, out: '', err: lines(sentences) }
}

/** Returns a usage error with a pointer to the help text. */
export function usageError(name: string, sentences: readonly string[]): Ending {
  return { exit: 2, out: '', err: lines([...sentences, `"daybook ${name} --help" shows how to call it.`]) }
}

function lines(sentences: readonly string[]): string {
  return sentences.map((sentence) => `${sentence}\n`).join('')
}
