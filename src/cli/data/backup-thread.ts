import { parentPort, workerData } from 'node:worker_threads'
import { copyLive, inspectFile } from '../../db/sqlite/sqlite-file.ts'

// SQLite copies and checks without a pause: on a thread of its own the command can say how far it has come.
const { from, to, now } = workerData
copyLive(from, to)
parentPort?.postMessage('copied')
parentPort?.postMessage(await inspectFile(to, now))
