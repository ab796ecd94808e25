import { once } from 'node:events'
import { MessageChannel, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { loadLanguages } from '../../booking-page/words/language-files.routes.ts'
import { releaseCompiledCode } from '../../compiled-code.ts'
import { originOf } from '../../config.ts'
import type { Installation } from '../../maintenance/system.routes.ts'
import { Refusal } from '../../messages/refusal.ts'
import { Metrics } from '../../metrics/metrics.ts'
import type { Operations } from '../../operations.ts'
import { startOwnLoops } from '../../server/jobs.ts'
import { type BesideStorage, openBeside } from '../../server/open.ts'
import { openStorage } from '../framework/data.ts'
import { installationOf } from './installation.ts'
import { listen, openServingApp, prepareServing, type Stop, type StorageCallbacks, stopAll } from './serving.ts'
import type { Answer, FromWorker, Question, Questions, ToWorker, WorkerSettings } from './workers.ts'

if (parentPort) await serve(parentPort, workerData)

/** Answers requests in a thread beside the main one, until the main thread ends it. */
async function serve(parent: MessagePort, { config, began, port, writer }: WorkerSettings): Promise<void> {
  releaseCompiledCode()
  const languages = await loadLanguages(config.pageLanguages)
  if (typeof languages === 'string') throw new Error(languages)
  const stops: Stop[] = []
  const metrics = new Metrics()
  stops.push(() => metrics.stop())
  const openWith = async (callbacks: StorageCallbacks): Promise<BesideStorage<Operations>> => {
    // Without SQLite's writer thread, this thread cannot work, so it ends. The main thread replaces both.
    if (writer) return openBeside(config.dataDir, writer, { ...callbacks, onClose: () => process.exit() })
    const onCommit = () => parent.postMessage('committed' satisfies FromWorker)
    return openStorage(config, { ...callbacks, thread: true, migrates: false, onCommit })
  }
  const opened = await openServingApp(config, began, openWith)
  stops.push(() => opened.close())
  const app = { ...opened, origin: () => originOf({ ...config, port }) }
  // The main thread stores the state of the installation and of backups, so this thread calls the main thread for the
  // functions `look` and `beginBackup`.
  const installation: Installation = {
    ...installationOf({ ...app, migrated: [] }),
    look: () => ask(parent, 'look'),
    beginBackup: () => ask(parent, 'beginBackup'),
  }
  const serving = await prepareServing({ config, app, metrics, languages, installation, stops })
  const loops = startOwnLoops(app, serving)
  stops.push(() => loops.stop())
  const metricsText = () => ask(parent, 'metricsText')
  const { scrape, drain } = await listen(serving, { port, isShared: true, isBeside: true, metricsText })
  parent.on('message', (message: ToWorker) => {
    if (message === null) void stop(parent, stops)
    else if (message === 'drain') drain()
    else void answer(message.scrape, scrape)
  })
  parent.postMessage('listening' satisfies FromWorker)
}

async function stop(parent: MessagePort, stops: readonly Stop[]): Promise<void> {
  await stopAll(stops)
  parent.close()
}

async function answer(port: MessagePort, scrape: () => Promise<string>): Promise<void> {
  port.postMessage(await scrape())
  port.close()
}

/**
 * Calls a function of the main thread and returns its result. Throws a `Refusal` when the function refuses, and an
 * error when the function fails.
 */
async function ask<Name extends Question>(parent: MessagePort, question: Name): Promise<ResultOf<Name>> {
  const { port1, port2 } = new MessageChannel()
  parent.postMessage({ question, port: port2 } satisfies FromWorker, [port2])
  const [answered]: Answer[] = await once(port1, 'message')
  port1.close()
  if (!answered) throw new Error(`The main thread did not answer: ${question}.`)
  if ('refused' in answered) throw new Refusal(answered.refused)
  return answered.result as ResultOf<Name>
}

type ResultOf<Name extends Question> = Awaited<ReturnType<Questions[Name]>>
