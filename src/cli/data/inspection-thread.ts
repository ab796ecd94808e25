import { parentPort, workerData } from 'node:worker_threads'
import { inspectFile } from '../../db/sqlite/sqlite-file.ts'

// SQLite checks a file without a pause: on a thread of its own the command can say that it still does.
const { file, now } = workerData
parentPort?.postMessage(await inspectFile(file, now))
