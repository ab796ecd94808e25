import { parentPort, workerData } from 'node:worker_threads'
import { inspectFile } from '../../db/sqlite/sqlite-file.ts'

// SQLite checks a file synchronously; with this separate thread, the command can report progress meanwhile.
const { file, now } = workerData
parentPort?.postMessage(await inspectFile(file, now))
