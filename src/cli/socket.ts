import { createHash } from 'node:crypto'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { type Ending, type Request, refused } from './command.ts'
import { ended } from './failure.ts'

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
  answer: (request: Request) => Promise<Ending>,
): Promise<CommandSocket> {
  const address = socketAddress(dataDir)
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // A caller who has gone needs no answer.
    socket.on('error', () => socket.destroy())
    readLine(socket, async (line) => {
      const ending = await ended(async () => answer(toRequest(line)))
      socket.end(`${JSON.stringify(ending)}\n`)
    })
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

/** The running server's answer to a command; undefined when no server is there. */
export async function askServer(dataDir: string, request: Request): Promise<Ending | undefined> {
  const address = socketAddress(dataDir)
  const socket = connect(address.path)
  const connected = await new Promise<boolean>((answer) => {
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
  address.release()
  if (!connected) return undefined
  return new Promise((answer) => {
    readLine(socket, (line) => answer(toEnding(line)))
    const gone = () => answer(refused('The server stopped before it answered. See whether the command took effect.'))
    socket.on('error', gone).on('close', gone)
    socket.write(`${JSON.stringify(request)}\n`)
  })
}

function readLine(socket: Socket, take: (line: string) => void): void {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    const end = chunk.indexOf(10)
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end))
    if (end >= 0) take(Buffer.concat(chunks.splice(0)).toString())
  })
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
function toRequest(line: string): Request {
  const request: Request = JSON.parse(line)
  return request
}

function toEnding(line: string): Ending {
  const ending: Ending = JSON.parse(line)
  return ending
}
