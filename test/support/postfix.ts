import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { freshFolder } from './daybook.ts'
import { freePort } from './postgres.ts'
import { hangLimit } from './scale.ts'

/** Whether this machine can run Postfix, which needs root. */
export function hasPostfix(): boolean {
  return process.getuid?.() === 0 && existsSync('/usr/sbin/postfix') && existsSync('/usr/bin/openssl')
}

/** The name with which clients sign in to the mail server. */
export const user = 'desk'
/** The password with which clients sign in to the mail server; one letter is outside ASCII. */
export const password = 'Zaunkönig 7'
/** The domain whose mail the mail server delivers itself. */
export const domain = 'clinic.example'
const nobody = 65_534

/**
 * Postfix on ports of this machine, configured as sites use it: it accepts mail only over TLS and from authenticated
 * clients, and delivers mail for `jo` at `domain` into a maildir. A certificate authority of the test signs the
 * certificate of Postfix.
 */
export class Postfix {
  /** The port for STARTTLS. */
  readonly port: number
  /** The port for TLS from the start. */
  readonly tlsPort: number
  /** The path of the certificate of the test's certificate authority. */
  readonly authority: string
  readonly #folder: string
  readonly #logins: Server

  private constructor(ports: Ports, folder: string, logins: Server) {
    this.port = ports.starttls
    this.tlsPort = ports.tls
    this.authority = join(folder, 'ca.pem')
    this.#folder = folder
    this.#logins = logins
  }

  static async start(): Promise<Postfix> {
    const folder = freshFolder()
    chmodSync(folder, 0o755)
    const ports = { starttls: await freePort(), tls: await freePort() }
    for (const name of ['etc', 'queue', 'data', 'mail']) mkdirSync(join(folder, name))
    chownSync(join(folder, 'data'), Number(execFileSync('id', ['-u', 'postfix'])), 0)
    chownSync(join(folder, 'mail'), nobody, nobody)
    writeCertificates(folder)
    writeFileSync(join(folder, 'etc', 'main.cf'), mainConfiguration(folder))
    writeFileSync(join(folder, 'etc', 'master.cf'), services(ports))
    const logins = answerLogins(join(folder, 'login'))
    execFileSync('/usr/sbin/postfix', ['-c', join(folder, 'etc'), 'start'], { stdio: 'ignore' })
    return new Postfix(ports, folder, logins)
  }

  /**
   * Resolves with the first message in the maildir; fails after `hangLimit`. Postfix moves a message into `new` only
   * when it is complete.
   */
  async delivered(): Promise<string> {
    const folder = join(this.#folder, 'mail', 'box', 'new')
    for (const until = performance.now() + hangLimit; performance.now() < until; await setTimeout(20)) {
      const [file] = existsSync(folder) ? readdirSync(folder) : []
      if (file !== undefined) return readFileSync(join(folder, file), 'utf8')
    }
    throw new Error(`Nothing was delivered:\n${this.log}`)
  }

  get log(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8')
  }

  stop(): void {
    execFileSync('/usr/sbin/postfix', ['-c', join(this.#folder, 'etc'), 'stop'], { stdio: 'ignore' })
    this.#logins.close()
  }
}

interface Ports {
  readonly starttls: number
  readonly tls: number
}

function writeCertificates(folder: string): void {
  const openssl = (...args: readonly string[]) =>
    execFileSync('/usr/bin/openssl', args, { cwd: folder, stdio: 'ignore' })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const signing = ['-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority']
  openssl('req', '-x509', ...curve, ...signing)
  openssl('req', ...curve, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=localhost')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
  openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', ...signed)
}

function mainConfiguration(folder: string): string {
  return `compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
myhostname = localhost
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
virtual_mailbox_domains = ${domain}
virtual_mailbox_base = ${folder}/mail
virtual_mailbox_maps = inline:{ jo@${domain}=box/ }
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${nobody}
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = ${folder}/cert.pem
smtpd_tls_key_file = ${folder}/key.pem
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${folder}/login
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions =
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
`
}

function services({ starttls, tls }: Ports): string {
  return `127.0.0.1:${starttls} inet n - n - - smtpd
127.0.0.1:${tls} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
proxymap unix - - n - - proxymap
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
tlsmgr unix - - n 1000? 1 tlsmgr
anvil unix - - n - 1 anvil
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
postlog unix-dgram n - n - 1 postlogd
`
}

/**
 * Starts a server that tells Postfix whether a user name and password are right, in the authentication protocol of
 * Dovecot.
 */
function answerLogins(path: string): Server {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.write('VERSION\t1\t1\nMECH\tPLAIN\tplaintext\nSPID\t1\nCUID\t1\nCOOKIE\t00\nDONE\n')
    createInterface(socket).on('line', (line) => {
      const [command, id, ...fields] = line.split('\t')
      if (command !== 'AUTH') return
      const sent = fields.find((field) => field.startsWith('resp='))?.slice('resp='.length) ?? ''
      const [, name, secret] = Buffer.from(sent, 'base64').toString('utf8').split('\0')
      const right = name === user && secret === password
      socket.write(`${right ? 'OK' : 'FAIL'}\t${id}\tuser=${name}\n`)
    })
  })
  server.listen(path, () => chmodSync(path, 0o666))
  return server
}
