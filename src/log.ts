import { destination, pino } from 'pino'
import type { LogLevel } from './config.ts'
import { type Log, type LogFields, logFields } from './db/perform/app.ts'

/**
 * Opens the structured log: one JSON object per line on stderr, with time, level, message and the fields of `logFields`
 * only, so that no complete request or customer is logged.
 */
export function openLog(level: LogLevel): Log {
  const stderr = destination({ fd: 2, sync: true })
  // An error occurs, for example, when the reader of stderr has closed the pipe; the service continues without a log.
  stderr.on('error', () => {})
  const gathered = new Gathered((text) => stderr.write(text))
  process.on('exit', () => gathered.flush())
  const lines = pino({ level, base: null, timestamp: isoTime() }, gathered)
  return {
    info: (fields, message) => lines.info(pick(fields), message),
    warn: (fields, message) => {
      lines.warn(pick(fields), message)
      gathered.flush()
    },
    error: (fields, message) => {
      lines.error(pick(fields), message)
      gathered.flush()
    },
  }
}

/**
 * Collects the log lines of one turn of the event loop and writes them together, but at the latest with the next warning
 * or error: a system call costs more than everything else about a line, and thousands of requests can be refused at once.
 */
class Gathered {
  readonly #writeOut: (text: string) => void
  #text = ''

  constructor(writeOut: (text: string) => void) {
    this.#writeOut = writeOut
  }

  write(line: string): void {
    if (this.#text === '') setImmediate(() => this.flush())
    this.#text += line
  }

  flush(): void {
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#writeOut(text)
  }
}

/** Returns a function that returns the time field of a log line in pino's format, cached for one millisecond. */
function isoTime(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) {
      at = now
      text = `,"time":"${new Date(now).toISOString()}"`
    }
    return text
  }
}

function pick(fields: LogFields): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of logFields) if (fields[name] !== undefined) picked[name] = fields[name]
  return picked
}
