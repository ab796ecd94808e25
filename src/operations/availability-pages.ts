import { randomBytes } from 'node:crypto'
import { slotsOfDays } from '../domain/availability.ts'
import type { Interval } from '../domain/interval.ts'
import { dayLength, dayOf } from '../domain/steady.ts'
import type { Touched } from '../domain/touched.ts'
import { type Catalogue, loadCatalogue } from '../storage/catalogue.ts'
import type { Database, ReadDatabase } from '../storage/database.ts'
import { loadAssigned } from '../storage/plan.ts'
import { type Asked, type Filter, type Question, questionOf, staleDays, windowOf } from './availability-question.ts'
import { KeptTimes } from './kept-times.ts'
import { type ListedSlots, listSlots, type NumberedText } from './listed-slots.ts'
import { type Kept, Shelf } from './shelf.ts'
import { bucketOf, bucketSeconds } from './slot-id.ts'
import { slotTexts } from './slot-text.ts'

/** The slots of one question that start on one day of UTC, as they are sent. */
interface Page extends NumberedText, Kept {
  /** The stretch around `now` in which they are these. */
  readonly steady: Interval
}

interface AskedBefore {
  readonly question: Question
  readonly pages: Map<number, Page>
  /** How many of all touches have been looked through for pages that they make stale. */
  heard: number
}

const bytesAPage = 600
const mostTouches = 4_096
const mostTries = 4

/**
 * Pages of availability: the bytes of a day of a question are made once and sent until something they rest on is
 * touched or the clock changes them. Made from committed state alone. See decisions/0041.
 */
export class AvailabilityPages {
  readonly #db: ReadDatabase
  readonly #shelf: Shelf
  readonly #times: KeptTimes
  readonly #asked = new Map<string, AskedBefore>()
  readonly #maker = randomBytes(6).toString('base64url')
  #catalogue: Catalogue | undefined
  /** The last touches, and how many there were before the first of them. */
  #touches: Touched[] = []
  #before = 0
  #pagesMade = 0

  constructor(db: ReadDatabase, most: number) {
    this.#db = db
    this.#shelf = new Shelf(most)
    this.#times = new KeptTimes(this.#shelf)
  }

  /** Pages made since the start. */
  get pagesMade(): number {
    return this.#pagesMade
  }

  /** Hears what was committed; call it before anyone who waited for the commit is answered. */
  hear(touched: readonly Touched[]): void {
    this.#times.hear(touched)
    if (touched.some(({ kind }) => kind === 'catalogue' || kind === 'everything')) this.#forgetAll()
    this.#touches.push(...touched)
    const tooMany = this.#touches.length - mostTouches
    if (tooMany > 0) {
      this.#touches.splice(0, tooMany)
      this.#before += tooMany
    }
  }

  /** The slots asked for if all their pages are there, at once. */
  find(asked: Asked): ListedSlots | undefined {
    const before = this.#asked.get(keyOf(asked))
    if (!before) return undefined
    this.#catchUp(before)
    const window = windowOf(before.question, asked)
    const pages: Page[] = []
    for (let day = dayOf(window.start); day * dayLength < window.end; day += 1) {
      const page = before.pages.get(day)
      if (!page || asked.now < page.steady.start || asked.now >= page.steady.end) return undefined
      page.used = true
      pages.push(page)
    }
    return listSlots(pages, { from: window.start, until: window.end, part: asked.part, maker: this.#maker })
  }

  /** The slots asked for, as of one moment after the question; undefined when changes come faster than pages are made. */
  async make(asked: Asked): Promise<ListedSlots | undefined> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const none = await this.#db.snapshot((db) => this.#makeMissing(db, asked))
      const found = none ?? this.find(asked)
      this.#shelf.settle()
      if (found) return found
    }
    return undefined
  }

  /** Makes the pages that are missing; answers at once where there is nothing to make. */
  async #makeMissing(db: Database, asked: Asked): Promise<ListedSlots | undefined> {
    const heard = this.#before + this.#touches.length
    const catalogue = await loadCatalogue(db)
    if (catalogue !== this.#catalogue) this.#forgetAll()
    this.#catalogue = catalogue
    const key = keyOf(asked)
    const before = this.#asked.get(key) ?? { question: questionOf(catalogue, asked), pages: new Map(), heard }
    this.#catchUp(before)
    const window = windowOf(before.question, asked)
    if (window.start >= window.end || before.question.services.length === 0)
      return listSlots([], { from: 0, until: 0, maker: this.#maker })
    this.#asked.set(key, before)
    for (const run of missingRuns(before.pages, window, asked.now)) await this.#makeRun(db, key, before, run, asked.now)
    // What was committed while pages were made may be in them or not.
    if (this.#before + this.#touches.length !== heard) {
      this.#times.hear([{ kind: 'everything' }])
      this.#forgetAll()
    }
    return undefined
  }

  async #makeRun(db: Database, key: string, asked: AskedBefore, run: Run, now: number): Promise<void> {
    const catalogue = this.#catalogue
    if (!catalogue) return
    const { question } = asked
    const [from, until] = [run.firstDay * dayLength, (run.firstDay + run.days) * dayLength]
    const occupied = { start: from - question.before, end: until + question.after }
    const booked = { start: from - question.margin, end: until + question.margin }
    const { providers, services, ranked } = question
    await this.#times.load(db, providers, {
      start: Math.min(occupied.start, booked.start),
      end: Math.max(occupied.end, booked.end),
    })
    const assigned =
      ranked.length > 0
        ? await loadAssigned(
            db,
            ranked.map(({ id }) => id),
          )
        : new Map()
    const bucket = Math.floor(now / bucketSeconds)
    const { plan, steady } = this.#times.plan({
      catalogue,
      services,
      providers,
      occupied,
      booked,
      now,
      bucket,
      assigned,
    })
    const found = slotsOfDays(plan, { ...run, now, ...(question.providerIds && { providerIds: question.providerIds }) })
    const lots = question.byLot ? [{ start: bucket * bucketSeconds, end: (bucket + 1) * bucketSeconds }] : []
    const always = [steady, ...lots, ...services.map(({ id }) => bucketOf(id, now))].reduce(shared)
    const borders = found.steady.slice(1).map((_, index) => from + (index + 1) * dayLength)
    const texts = slotTexts(found.slots, { secret: catalogue.secret, now }, borders)
    for (const [index, text] of texts.entries()) {
      const day = run.firstDay + index
      this.#put(key, asked, day, { text, steady: shared(always, found.steady[index] ?? always) })
    }
  }

  #put(key: string, asked: AskedBefore, day: number, { text, steady }: Pick<Page, 'text' | 'steady'>): void {
    const old = asked.pages.get(day)
    if (old) this.#shelf.forget(old)
    this.#pagesMade += 1
    const page: Page = {
      text,
      steady,
      number: this.#pagesMade,
      // A quarter more for the bytes packed, which hang on the page as long as it is kept.
      size: bytesAPage + 2 * key.length + 1.25 * text.bytes.length + text.starts.byteLength + text.offsets.byteLength,
      used: true,
      forgotten: () => {
        asked.pages.delete(day)
        if (asked.pages.size === 0 && this.#asked.get(key) === asked) this.#asked.delete(key)
      },
    }
    asked.pages.set(day, page)
    this.#asked.set(key, asked)
    this.#shelf.keep(page)
  }

  /** Lets go of the pages that a touch since the last time has made stale. */
  #catchUp(asked: AskedBefore): void {
    const { question, pages } = asked
    const all = this.#before + this.#touches.length
    if (asked.heard === all) return
    if (asked.heard < this.#before) this.#forgetPages(pages)
    else
      for (let index = asked.heard - this.#before; index < this.#touches.length; index += 1) {
        const touched = this.#touches[index]
        const stale = touched && staleDays(question, touched)
        if (stale) this.#forgetDays(pages, stale)
      }
    asked.heard = all
  }

  #forgetDays(pages: Map<number, Page>, { first, last }: { readonly first: number; readonly last: number }): void {
    if (last - first >= pages.size) {
      for (const [day, page] of pages) if (day >= first && day <= last) this.#shelf.forget(page)
      return
    }
    for (let day = first; day <= last; day += 1) {
      const page = pages.get(day)
      if (page) this.#shelf.forget(page)
    }
  }

  #forgetPages(pages: Map<number, Page>): void {
    for (const page of pages.values()) this.#shelf.forget(page)
  }

  #forgetAll(): void {
    for (const { pages } of this.#asked.values()) this.#forgetPages(pages)
    this.#asked.clear()
  }
}

interface Run {
  readonly firstDay: number
  readonly days: number
}

/** Days in a row that have no page for this moment. */
function missingRuns(pages: ReadonlyMap<number, Page>, window: Interval, now: number): readonly Run[] {
  const runs: { firstDay: number; days: number }[] = []
  for (let day = dayOf(window.start); day * dayLength < window.end; day += 1) {
    const page = pages.get(day)
    if (page && now >= page.steady.start && now < page.steady.end) continue
    const last = runs.at(-1)
    if (last && last.firstDay + last.days === day) last.days += 1
    else runs.push({ firstDay: day, days: 1 })
  }
  return runs
}

function keyOf({ serviceIds, providerIds }: Filter): string {
  return `${serviceIds ? `=${serviceIds}` : ''} ${providerIds ? `=${providerIds}` : ''}`
}

function shared(one: Interval, other: Interval): Interval {
  return { start: Math.max(one.start, other.start), end: Math.min(one.end, other.end) }
}
