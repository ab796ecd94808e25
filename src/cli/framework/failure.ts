import { Refusal } from '../../messages/refusal.ts'
import { sentence } from '../../messages/sentence.ts'
import { type Ending, refused } from './command.ts'

/** Runs a command and returns its result. An exception is converted to a refusal or an error of one sentence. */
export async function exitOnFailure(run: () => Promise<Ending>): Promise<Ending> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Refusal ? refusalEnding(error) : refused(faultSentence(error))
  }
}

function refusalEnding({ refused: { message, details = {} } }: Refusal): Ending {
  return refused(sentence(message), ...Object.entries(details).map(([path, fault]) => `${path}: ${sentence(fault)}`))
}

const untrustedCertificate = () =>
  'The certificate of PostgreSQL was issued by an authority that is not trusted; name its file as sslrootcert in --database-url.'

/** The messages for error codes of the operating system, such as `EACCES`, and of TLS. */
const systemFaults: Readonly<Record<string, (error: SystemFault) => string>> = {
  EADDRINUSE: (of) => `Port ${of.port} on ${of.address} is in use by another program; choose another with --port.`,
  EADDRNOTAVAIL: (of) => `This machine has no address ${of.address}; choose another with --host.`,
  ENOTFOUND: (of) => `The host name ${of.hostname} is not known; check --host or --database-url.`,
  ECONNREFUSED: () => 'The database does not answer; check --database-url and whether PostgreSQL runs.',
  EACCES: (of) => `Permission denied: ${of.path ?? `port ${of.port}`}.`,
  EPERM: (of) => `Permission denied: ${of.path ?? `port ${of.port}`}.`,
  ENOENT: (of) => `There is no ${of.path}.`,
  ENOTDIR: (of) => `A file stands where a folder is needed: ${of.path}.`,
  EEXIST: (of) => `A file stands where a folder is needed: ${of.path}.`,
  EPIPE: () => 'Nobody reads the output any more.',
  EISDIR: () => 'A folder was given where a file is needed.',
  ENOSPC: () => 'The disk is full.',
  EROFS: (of) => `Nothing can be written there: ${of.path}.`,
  CERT_HAS_EXPIRED: () => 'The certificate of PostgreSQL has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: () => 'The certificate of PostgreSQL is not for the host in --database-url.',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrustedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: untrustedCertificate,
  UNABLE_TO_GET_ISSUER_CERT: untrustedCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedCertificate,
}

/** The messages for SQLite's primary result codes. */
const databaseFaults: Readonly<Record<number, string>> = {
  8: 'The database cannot be written to; see who owns its files.',
  10: 'The disk does not take or give data; see whether it is full.',
  13: 'The disk is full.',
}

interface SystemFault {
  readonly code?: string
  /** SQLite's extended result code, whose low byte is the primary code; absent for an error of the operating system. */
  readonly errcode?: number
  readonly path?: string
  readonly port?: number
  readonly address?: string
  readonly hostname?: string
}

function faultSentence(error: unknown): string {
  if (!(error instanceof Error)) return `Daybook stopped: ${String(error)}`
  const fault: Error & SystemFault = error
  const known = systemFaults[fault.code ?? '']
  if (known) return known(fault)
  return databaseFaults[(fault.errcode ?? 0) & 0xff] ?? `Daybook stopped: ${error.message}`
}
