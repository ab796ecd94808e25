import { parentPort, workerData } from 'node:worker_threads'
import { copyLive, inspectFile } from '../../db/sqlite/sqlite-file.ts'

// SQLite copies and checks files synchronously; with this separate thread, the command can report progress meanwhile.
const { from, to, now } = workerData
copyLive(from, to)
parentPort?.postMessage('copied')
parentPort?.postMessage(await inspectFile(to, now))
