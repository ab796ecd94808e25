import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { type CommandCaller, type CommandRequest, type Ending, refused } from '../framework/command.ts'
import { exitOnFailure } from '../framework/failure.ts'

/** The server's ear for commands. */
export interface CommandSocket {
  /** Takes no more commands; those that run have this many milliseconds to finish. */
  close(grace: number): Promise<void>
}

// What a socket's address may be long, less a reserve: 107 bytes on Linux, 103 on macOS.
const longestPath = 100

/** Answers commands on the data directory's socket, which only the server's own user may use. */
export async function listenForCommands(
  dataDir: string,
  answer: (request: CommandRequest, caller: CommandCaller) => Promise<Ending>,
): Promise<CommandSocket> {
  const address = socketAddress(dataDir)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // A caller who has gone needs no answer.
    socket.on('error', () => socket.destroy())
    void serveOne(socket, answer)
  })
  // Whoever holds the lock is the only server: a socket that is there was left by one that was killed.
  if (process.platform !== 'win32') rmSync(address.path, { force: true })
  // The socket is made by `listen` itself, before it returns.
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
  answer: (request: CommandRequest, caller: CommandCaller) => Promise<Ending>,
): Promise<void> {
  for await (const line of linesOf(socket)) {
    const ending = await exitOnFailure(async () => answer(toRequest(line), farCaller(socket)))
    if (!socket.destroyed) socket.end(lineOf({ ending }))
    return
  }
}

/** The caller at the other end of a socket. */
function farCaller(socket: Socket): CommandCaller {
  return {
    write: (print) => say(socket, { print }),
    note: (note) => void (socket.destroyed || socket.write(lineOf({ note }))),
  }
}

/** What a server says to a caller: parts of what is printed, notices, and in the end how the command ended. */
interface Said {
  readonly print?: string
  readonly note?: string
  readonly ending?: Ending
}

async function say(socket: Socket, said: Said): Promise<void> {
  if (!socket.destroyed && !socket.write(lineOf(said))) await roomIn(socket)
  if (socket.destroyed) throw new Error('the caller has gone')
}

function roomIn(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })
}

function lineOf(said: Said): string {
  return `${JSON.stringify(said)}\n`
}

/** The running server's answer to a command; undefined when no server is there. */
export async function askServer(
  dataDir: string,
  request: CommandRequest,
  caller: CommandCaller,
): Promise<Ending | undefined> {
  const address = socketAddress(dataDir)
  const socket = connect(address.path)
  const connected = await new Promise<boolean>((answer) => {
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
  address.release()
  if (!connected) return undefined
  // One that is gone is seen by its end.
  socket.on('error', () => socket.destroy())
  socket.write(`${JSON.stringify(request)}\n`)
  for await (const line of linesOf(socket)) {
    const { print, note, ending } = toSaid(line)
    if (print !== undefined) await caller.write(print)
    if (note !== undefined) caller.note(note)
    if (ending) return ending
  }
  return refused('The server stopped before it answered. See whether the command took effect.')
}

/** Line after line, as fast as they are taken; ends when the socket does, however that was. */
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

/** What arrives; unlike the socket's own iterator it ends when the socket breaks. */
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

/** Where the socket is. A path too long for a socket's address is reached through a descriptor of its folder. */
function socketAddress(dataDir: string): Address {
  const path = join(resolve(dataDir), 'daybook.sock')
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(path.toLowerCase()).digest('hex').slice(0, 32)
    return { path: `\\\\.\\pipe\\daybook-${name}`, release: () => {} }
  }
  if (Buffer.byteLength(path) <= longestPath) return { path, release: () => {} }
  if (process.platform !== 'linux') {
    throw new Error(`the path of the data directory is too long for a socket (over ${longestPath} bytes): ${dataDir}`)
  }
  const folder = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: `/proc/self/fd/${folder}/daybook.sock`, release: () => closeSync(folder) }
}

// Both ends are Daybook, and only the folder's owner reaches either: what arrives has the shape that was sent.
function toRequest(line: string): CommandRequest {
  const request: CommandRequest = JSON.parse(line)
  return request
}

function toSaid(line: string): Said {
  const said: Said = JSON.parse(line)
  return said
}
