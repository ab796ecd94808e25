import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { type CommandCaller, type CommandRequest, type Ending, refused } from '../framework/command.ts'
import { exitOnFailure } from '../framework/failure.ts'

/** The listening socket through which commands reach the running server. */
export interface CommandSocket {
  /** Stops accepting commands, and gives running commands `grace` milliseconds to finish. */
  close(grace: number): Promise<void>
}

// The maximum length of a socket's path, below the limits of the operating systems: 107 bytes on Linux, 103 on macOS.
const maxPathBytes = 100

/**
 * Listens on the command socket of the data directory, and answers commands with `handle`. Where the socket is a file
 * (not on Windows), only its owner can open it.
 */
export async function listenForCommands(
  dataDir: string,
  handle: (request: CommandRequest, caller: CommandCaller) => Promise<Ending>,
): Promise<CommandSocket> {
  const address = socketAddress(dataDir)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // An error means that the caller has disconnected.
    socket.on('error', () => socket.destroy())
    void serveOne(socket, handle)
  })
  // The lock of the data directory guarantees a single server, so an existing socket was left by a killed one.
  if (process.platform !== 'win32') rmSync(address.path, { force: true })
  // `listen` creates the socket file synchronously, so this thread creates no other file under this umask.
  const umask = process.umask(0o177)
  server.listen(address.path)
  process.umask(umask)
  await new Promise<void>((listening, failed) => server.once('listening', listening).once('error', failed))
  return {
    async close(grace) {
      const closed = new Promise((end) => server.close(end))
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
      const late = setTimeout(() => open.forEach((socket) => void socket.destroy()), grace)
      await closed
      clearTimeout(late)
      address.release()
    },
  }
}

async function serveOne(
  socket: Socket,
  handle: (request: CommandRequest, caller: CommandCaller) => Promise<Ending>,
): Promise<void> {
  for await (const line of linesOf(socket)) {
    const ending = await exitOnFailure(async () => handle(toRequest(line), remoteCaller(socket)))
    if (!socket.destroyed) socket.end(lineOf({ ending }))
    return
  }
}

/** Returns the caller of a command at the other end of a socket. */
function remoteCaller(socket: Socket): CommandCaller {
  return {
    write: (print) => send(socket, { print }),
    note: (note) => void (socket.destroyed || socket.write(lineOf({ note }))),
  }
}

/** A message from the server to the caller: output, a report of progress or, in the last message, the result. */
interface ServerMessage {
  readonly print?: string
  readonly note?: string
  readonly ending?: Ending
}

async function send(socket: Socket, message: ServerMessage): Promise<void> {
  if (!socket.destroyed && !socket.write(lineOf(message))) await drained(socket)
  if (socket.destroyed) throw new Error('the caller has gone')
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })
}

function lineOf(message: ServerMessage): string {
  return `${JSON.stringify(message)}\n`
}

/** Runs a command on the running server; returns undefined if it cannot connect to a server. */
export async function runOnServer(
  dataDir: string,
  request: CommandRequest,
  caller: CommandCaller,
): Promise<Ending | undefined> {
  const address = socketAddress(dataDir)
  const socket = connect(address.path)
  const connected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  address.release()
  if (!connected) return undefined
  // A broken connection is detected when the stream of lines ends.
  socket.on('error', () => socket.destroy())
  socket.write(`${JSON.stringify(request)}\n`)
  for await (const line of linesOf(socket)) {
    const { print, note, ending } = parseServerMessage(line)
    if (print !== undefined) await caller.write(print)
    if (note !== undefined) caller.note(note)
    if (ending) return ending
  }
  return refused('The server stopped before it answered. See whether the command took effect.')
}

/** Splits what a socket receives into lines with back-pressure; ends when the connection is closed or breaks. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  const chunks: Buffer[] = []
  for await (const chunk of arriving(socket)) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...chunks.splice(0), chunk.subarray(from, end)]).toString()
      from = end + 1
    }
    chunks.push(chunk.subarray(from))
  }
}

/**
 * Yields the data that a socket receives; unlike the socket's own iterator, it ends without an error when the
 * connection breaks.
 */
async function* arriving(socket: Socket): AsyncGenerator<Buffer> {
  let wake = () => {}
  for (const news of ['readable', 'end', 'close']) socket.on(news, () => wake())
  for (;;) {
    const chunk: Buffer | null = socket.read()
    if (chunk) yield chunk
    else if (socket.readableEnded || socket.destroyed) return
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}

interface Address {
  readonly path: string
  release(): void
}

/**
 * Returns the address of the command socket of a data directory: on Windows a named pipe, elsewhere a file. A path that
 * is too long for a socket is an error, except on Linux, where the address refers to the directory by an open file
 * descriptor (`/proc/self/fd/N`), which `release` closes.
 */
function socketAddress(dataDir: string): Address {
  const path = join(resolve(dataDir), 'daybook.sock')
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(path.toLowerCase()).digest('hex').slice(0, 32)
    return { path: `\\\\.\\pipe\\daybook-${name}`, release: () => {} }
  }
  if (Buffer.byteLength(path) <= maxPathBytes) return { path, release: () => {} }
  if (process.platform !== 'linux') {
    throw new Error(`the path of the data directory is too long for a socket (over ${maxPathBytes} bytes): ${dataDir}`)
  }
  const folder = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: `/proc/self/fd/${folder}/daybook.sock`, release: () => closeSync(folder) }
}

// Messages are not validated, because both ends of the socket are this program.
function toRequest(line: string): CommandRequest {
  const request: CommandRequest = JSON.parse(line)
  return request
}

function parseServerMessage(line: string): ServerMessage {
  const message: ServerMessage = JSON.parse(line)
  return message
}
