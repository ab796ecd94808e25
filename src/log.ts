import { destination, pino } from 'pino'
import type { Log } from './app.ts'
import type { LogLevel } from './config.ts'

/** What a log line may hold beside time, level and message. Nothing else is written, whoever passes it. */
const allowed = [
  'requestId',
  'method',
  'route',
  'status',
  'code',
  'reason',
  'milliseconds',
  'operation',
  'job',
  'fault',
  'stack',
  'signal',
  'host',
  'port',
  'count',
] as const

/** The structured log: one JSON object a line on stderr, with allowed fields only, so that nothing personal gets in. */
export function openLog(level: LogLevel): Log {
  const stderr = destination({ fd: 2, sync: true })
  // Nobody reads the log any more: no reason for the service to end.
  stderr.on('error', () => {})
  const lines = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr)
  return {
    info: (fields, message) => lines.info(pick(fields), message),
    warn: (fields, message) => lines.warn(pick(fields), message),
    error: (fields, message) => lines.error(pick(fields), message),
  }
}

function pick(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(allowed.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])))
}
