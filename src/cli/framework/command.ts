import type { Config, SettingName } from '../../config.ts'
import type { Daybook } from '../../operations.ts'

/** An option of one command, beside the settings it takes. */
export interface Option {
  /** Stands for the value in help texts; an option without one is a switch. */
  readonly placeholder?: string
  readonly sentence: string
}

/** How a command is called, for its help text and for reading its arguments. */
export interface Usage {
  /** Flag without dashes → option. */
  readonly options: Readonly<Record<string, Option>>
  readonly settings: readonly SettingName[]
  /** What stands beside the options, in order; one in brackets may be left out. */
  readonly positionals: readonly string[]
  /** What is wrong with the values given, before anything is done. */
  faults?(flags: Flags, positionals: readonly string[]): readonly string[]
}

/** Flag → its text, or true for a switch. */
export type Flags = Readonly<Record<string, string | true>>

/** Whoever called a command, here or at the other end of the server's socket. */
export interface CommandCaller {
  /** Prints what is too long to be held until the end; resolves once there is room for more. */
  write(text: string): Promise<void>
  /** Says on stderr how far the work has come; no line break needed. */
  note(sentence: string): void
}

/** One call of a command, arguments read. */
export interface CommandCall {
  readonly flags: Flags
  readonly positionals: readonly string[]
  readonly config: Config
  /** The text of the file the command reads, where it reads one. */
  readonly file: string
  readonly caller: CommandCaller
}

/** What is known of a call before its file is read. */
export type Typed = Omit<CommandCall, 'file' | 'caller'>

/** How a command ended: 0 done, 1 refused, 2 wrong usage; texts end with a line break. */
export interface Ending {
  readonly exit: 0 | 1 | 2
  readonly out: string
  readonly err: string
}

/** The service as a command meets it. */
export interface CommandApp extends Daybook {
  /** The migrations that ran when the data was opened for this command. */
  readonly migrated: readonly string[]
  /** The folder of the embedded database; undefined on PostgreSQL. */
  readonly dataDir: string | undefined
  /** The key that second factors are sealed under, where it is given as a setting. */
  readonly secretKey: string | undefined
  /** Where people reach the service: `--public-url`, or the address it listens on. Links for people begin with it. */
  origin(): string
}

/** Changes or shows data: runs in the server that has the data open, else in a process that opens it for the moment. */
export interface DataCommand extends Usage {
  readonly on: 'data'
  /** The file to read before the command runs, where the caller is. */
  readonly file?: (call: Typed) => string | undefined
  /** The file that what it prints goes to, where the caller is; stdout when there is none. */
  readonly into?: (call: Typed) => string | undefined
  run(app: CommandApp, call: CommandCall): Promise<Ending>
}

/** A command as it travels to the server that has the data open: the words as typed, and the text of its file. */
export interface CommandRequest {
  readonly argv: readonly string[]
  readonly file: string
}

/** Answers a command that came through the socket, on the data that this server has open. */
export type CommandAnswer = (app: CommandApp, request: CommandRequest, caller: CommandCaller) => Promise<Ending>

/** Runs in the caller's own process; a server among them answers the commands that come to it. */
export interface ProcessCommand extends Usage {
  readonly on: 'process'
  run(call: CommandCall, answer: CommandAnswer): Promise<Ending>
}

export type Command = DataCommand | ProcessCommand

/** A command as the list of all knows it; its file is read when it is called. */
export interface CommandEntry {
  readonly summary: string
  load(): Promise<Command>
}

/** Done, with what to print on stdout. */
export function done(out: string): Ending {
  return { exit: 0, out, err: '' }
}

/** Understood, and no: one line a sentence on stderr. */
export function refused(...sentences: readonly string[]): Ending {
  return { exit: 1, out: '', err: lines(sentences) }
}

/** Called the wrong way: what is wrong, and how to find out the right one. */
export function misused(name: string, sentences: readonly string[]): Ending {
  return { exit: 2, out: '', err: lines([...sentences, `"daybook ${name} --help" shows how to call it.`]) }
}

function lines(sentences: readonly string[]): string {
  return sentences.map((sentence) => `${sentence}\n`).join('')
}
