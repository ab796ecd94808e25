/**
 * The class of a query error. `occupied`: a constraint on the table `occupancy` was violated, so the time or seat is
 * taken. `again`: a retry of the transaction may succeed. `unavailable`: the database cannot serve requests now.
 * `internal`: any other error.
 */
export type Failure = 'occupied' | 'again' | 'unavailable' | 'internal'

const sqliteConstraint = 19
// SQLite's primary result codes for busy, out of memory, read only, I/O error, corrupt, full, cannot open.
const sqliteUnavailable = new Set([5, 7, 8, 10, 11, 13, 14])

/** Classifies an error of SQLite. */
export function sqliteFailure(error: unknown): Failure {
  const { errcode, message } = fieldsOf(error)
  if (typeof errcode !== 'number') return 'internal'
  // The low byte of an extended SQLite result code is the primary code.
  const primary = errcode & 0xff
  if (primary === sqliteConstraint && /\boccupancy[._]/.test(message)) return 'occupied'
  return sqliteUnavailable.has(primary) ? 'unavailable' : 'internal'
}

// PostgreSQL's codes for a serialization failure and for a deadlock, after which a retry may succeed.
const postgresAgain = new Set(['40001', '40P01'])
// PostgreSQL's codes for: lock not available, database closed to connections, read only (a demoted primary),
// resources exhausted, connection lost, login refused, server stopping or starting, statement timeout, system or I/O error.
const postgresUnavailable = /^(55P03|55000|25006|53...|08...|28...|57P0.|57014|58...)$/
const postgresOccupied = new Set(['23505', '23P01', '23514'])
// Codes and messages of driver, network and TLS errors (a certificate that expired or is not trusted), which have no
// PostgreSQL code.
const connectionLost =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_SSL_|ERR_TLS_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|ENOENT)|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|not queryable|Cannot use a pool after/

/**
 * Whether PostgreSQL refused to run a prepared statement because the columns of its result have changed since it was
 * prepared, as when a newer version added a column to a table from which the statement selects `*`. The error names the
 * function that reports it, because its code is that of every unsupported feature and its message is translated.
 */
export function isOutdatedStatement(error: unknown): boolean {
  const { code, routine } = fieldsOf(error)
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Whether PostgreSQL gave up waiting for a lock after `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return fieldsOf(error).code === '55P03'
}

/** An error that `postgresFailure` classifies as `unavailable`, by the code that PostgreSQL gives `admin_shutdown`. */
export class PostgresUnavailable extends Error {
  readonly code = '57P01'
}

/** Classifies an error of PostgreSQL. */
export function postgresFailure(error: unknown): Failure {
  const { code, constraint, message } = fieldsOf(error)
  if (postgresOccupied.has(code) && constraint.startsWith('occupancy_')) return 'occupied'
  if (postgresAgain.has(code) || isOutdatedStatement(error)) return 'again'
  if (postgresUnavailable.test(code)) return 'unavailable'
  return connectionLost.test(code) || connectionLost.test(message) ? 'unavailable' : 'internal'
}

interface ErrorFields {
  readonly errcode: unknown
  readonly code: string
  readonly constraint: string
  readonly routine: string
  readonly message: string
}

function fieldsOf(error: unknown): ErrorFields {
  const fields: Readonly<Record<string, unknown>> = typeof error === 'object' && error ? { ...error } : {}
  return {
    errcode: fields.errcode,
    code: String(fields.code ?? ''),
    constraint: String(fields.constraint ?? ''),
    routine: String(fields.routine ?? ''),
    message: error instanceof Error ? error.message : '',
  }
}
