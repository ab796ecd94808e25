import { parentPort, workerData } from 'node:worker_threads'
import { inspectFile } from '../../db/sqlite/sqlite-file.ts'

// SQLite checks a file synchronously; on a separate thread, the command can report progress.
const { file, now } = workerData
parentPort?.postMessage(await inspectFile(file, now))
