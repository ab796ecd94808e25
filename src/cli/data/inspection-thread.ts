import { parentPort, workerData } from 'node:worker_threads'
import { inspectFile } from '../../db/sqlite/sqlite-file.ts'

// SQLite checks a file synchronously. This is done on a separate thread, so that the command can report progress.
const { file, now } = workerData
parentPort?.postMessage(await inspectFile(file, now))
