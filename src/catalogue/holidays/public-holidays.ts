import { Worker } from 'node:worker_threads'
import { WorkQueue } from '../../work-queue.ts'

/** The input of `listPublicHolidays`: the place, years and language of the list. */
export interface HolidayQuestion {
  /**
   * The preferred language of names; a holiday without a name in that language has its English name if that is known.
   */
  readonly language: string
  /** The ISO 3166-1 code of the country; when absent or unknown, only the countries are listed. */
  readonly country?: string
  readonly state?: string
  readonly region?: string
  /** The first year of the list, and the number of years. */
  readonly year: number
  readonly years: number
}

/** A public holiday of whole days; both dates are inclusive. */
export interface PublicHoliday {
  readonly from: string
  readonly to: string
  readonly name: string
}

interface Named {
  readonly code: string
  readonly name: string
}

/** The result of `listPublicHolidays`: the public holidays of a place, with the places to choose from. */
export interface PublicHolidays {
  readonly countries: readonly Named[]
  readonly states: readonly Named[]
  readonly regions: readonly Named[]
  readonly holidays: readonly PublicHoliday[]
}

const queue = new WorkQueue({ concurrency: 1, maxWaiting: 10 })

/** Whether the queue of requests for public holidays is full, so that another request should be refused. */
export function arePublicHolidaysBusy(): boolean {
  return queue.isFull
}

/**
 * Lists the public holidays of a place. Loading the rules of all countries takes half a second and tens of megabytes of
 * memory, so they are loaded in a thread that ends after each request.
 */
export function listPublicHolidays(question: HolidayQuestion): Promise<PublicHolidays> {
  return queue.run(() => askThread(question))
}

function askThread(question: HolidayQuestion): Promise<PublicHolidays> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./public-holidays-thread.ts', import.meta.url), {
      workerData: question,
      execArgv: [],
    })
    let found: PublicHolidays | undefined
    worker.once('message', (message: PublicHolidays) => {
      found = message
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      if (found === undefined) reject(new Error('The thread that lists public holidays ended without an answer.'))
      else resolve(found)
    })
  })
}
