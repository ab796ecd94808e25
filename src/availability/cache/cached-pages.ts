import { randomBytes } from 'node:crypto'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import type { Invalidation } from '../../scheduling/invalidation.ts'
import { timelessOpenings } from '../../scheduling/listing/openings.ts'
import type { SlotSource } from '../../scheduling/listing/slot-source.ts'
import { dayLength, utcDayOf } from '../../scheduling/listing/validity.ts'
import { bookingIndexOf } from '../../scheduling/plan/booking-index.ts'
import type { Plan } from '../../scheduling/plan/plan.ts'
import { providerIdOf } from '../../scheduling/plan/resource.ts'
import { dayLister, listedSources, type ServiceSources } from '../../scheduling/slots.ts'
import { contains, type Interval, intersection } from '../../scheduling/time/interval.ts'
import { loadAssigned } from '../plan.sql.ts'
import { bucketOf, bucketSeconds } from '../slot-id.ts'
import { slotsAsJson, withOwn } from '../slot-json.ts'
import { CachedOpenings, type DayRun, type SourceRun } from './cached-openings.ts'
import { CachedTimes } from './cached-times.ts'
import { type CacheEntry, ClockCache } from './clock-cache.ts'
import {
  type AvailabilityFilter,
  type AvailabilityQuery,
  allDays,
  type DayRange,
  queryWindow,
  type ResolvedQuery,
  resolveQuery,
  staleDays,
} from './question.ts'
import { type ListedSlots, listSlots, type NumberedText, type SlotRange } from './slot-pages.ts'

/** The slots of one question that start on one day of UTC, as they are sent. */
interface Page extends NumberedText, CacheEntry {
  /** The stretch around `now` in which they are these. */
  readonly validity: Interval
  /** Whose slots may be other ones since; the others' are still these. */
  readonly stale: Set<number>
}

/** A list and what it was made of. */
interface Listed {
  readonly window: Interval
  readonly part: SlotRange | undefined
  readonly pages: readonly Page[]
  readonly list: ListedSlots
}

interface AskedBefore {
  readonly question: ResolvedQuery
  readonly services: readonly ServiceSources[]
  /** Of all services together. */
  readonly slotSources: readonly SlotSource[]
  readonly openings: CachedOpenings
  /** Whether a page stays true for all but those whose time is touched. */
  readonly apart: boolean
  readonly pages: Map<number, Page>
  /** What was listed last: clients ask the same again. Gone with any of the pages. */
  last: Listed | undefined
  /** How many of all touches have been looked through for pages that they make stale. */
  applied: number
}

const bytesAPage = 600
// Its start, its provider and its offset.
const bytesASlot = 20
const mostTouches = 4_096
const mostTries = 4

/**
 * Pages of availability: the bytes of a day of a question are made once and sent until something they rest on is
 * touched or the clock changes them. Made from committed state alone. See decisions/0017.
 */
export class CachedPages {
  readonly #db: ReadDatabase
  readonly #cache: ClockCache
  readonly #times: CachedTimes
  readonly #asked = new Map<string, AskedBefore>()
  readonly #maker = randomBytes(6).toString('base64url')
  #catalogue: Catalogue | undefined
  /** The last touches, and how many there were before the first of them. */
  #touches: Invalidation[] = []
  #before = 0
  #pagesMade = 0

  constructor(db: ReadDatabase, most: number) {
    this.#db = db
    this.#cache = new ClockCache(most)
    this.#times = new CachedTimes(this.#cache)
  }

  /** Pages made since the start. */
  get pagesMade(): number {
    return this.#pagesMade
  }

  /** Hears what was committed; call it before anyone who waited for the commit is answered. */
  invalidate(invalidated: readonly Invalidation[]): void {
    this.#times.invalidate(invalidated)
    if (invalidated.some(({ kind }) => kind === 'catalogue' || kind === 'everything')) this.#forgetAll()
    this.#touches.push(...invalidated)
    const tooMany = this.#touches.length - mostTouches
    if (tooMany > 0) {
      this.#touches.splice(0, tooMany)
      this.#before += tooMany
    }
  }

  /** The slots asked for if all their pages are there, at once. */
  find(asked: AvailabilityQuery): ListedSlots | undefined {
    const before = this.#asked.get(keyOf(asked))
    if (!before) return undefined
    this.#catchUp(before)
    const window = queryWindow(before.question, asked)
    const { part, now } = asked
    const { last } = before
    if (last && isOf(last, window, part)) return areGood(last.pages, now) ? last.list : undefined
    const pages: (Page | undefined)[] = []
    for (let day = utcDayOf(window.start); day * dayLength < window.end; day += 1) pages.push(before.pages.get(day))
    if (!areGood(pages, now)) return undefined
    const list = listSlots(pages, { from: window.start, until: window.end, part, maker: this.#maker })
    before.last = { window, part, pages, list }
    return list
  }

  /** The slots asked for, as of one moment after the question; undefined when changes come faster than pages are made. */
  async make(asked: AvailabilityQuery): Promise<ListedSlots | undefined> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      // A commit that shows and is not heard of yet would make some pages newer than others.
      await this.#db.caughtUp()
      const none = await this.#db.snapshot((db) => this.#makeMissing(db, asked))
      const found = none ?? this.find(asked)
      this.#cache.settle()
      if (found) return found
    }
    return undefined
  }

  /** Makes the pages that are missing; answers at once where there is nothing to make. */
  async #makeMissing(db: Database, asked: AvailabilityQuery): Promise<ListedSlots | undefined> {
    const applied = this.#before + this.#touches.length
    const catalogue = await loadCatalogue(db)
    if (catalogue !== this.#catalogue) this.#forgetAll()
    this.#catalogue = catalogue
    const key = keyOf(asked)
    const before = this.#asked.get(key) ?? this.#ask(key, resolveQuery(catalogue, asked), applied)
    this.#catchUp(before)
    const window = queryWindow(before.question, asked)
    if (window.start >= window.end || before.question.services.length === 0)
      return listSlots([], { from: 0, until: 0, maker: this.#maker })
    this.#asked.set(key, before)
    for (const run of missingRuns(before.pages, window, asked.now)) await this.#makeRun(db, key, before, run, asked.now)
    // What was committed while pages were made may be in them or not.
    if (this.#before + this.#touches.length !== applied) {
      this.#times.invalidate([{ kind: 'everything' }])
      this.#forgetAll()
    }
    return undefined
  }

  #ask(key: string, question: ResolvedQuery, applied: number): AskedBefore {
    const providers = this.#catalogue?.providers ?? []
    const services = listedSources({ services: question.services, providers }, question.providerIds)
    const slotSources = services.flatMap((service) => service.slotSources)
    const openings = new CachedOpenings(this.#cache, slotSources, () => this.#dropIfEmpty(key, asked))
    const [service, ...others] = services
    const direct = service?.service.settings.routingMode === 'direct' && others.length === 0
    const apart = direct && !question.shared
    const asked = { question, services, slotSources, openings, apart, pages: new Map(), last: undefined, applied }
    return asked
  }

  #dropIfEmpty(key: string, asked: AskedBefore): void {
    if (asked.pages.size === 0 && asked.openings.empty && this.#asked.get(key) === asked) this.#asked.delete(key)
  }

  async #makeRun(db: Database, key: string, asked: AskedBefore, run: DayRun, now: number): Promise<void> {
    const catalogue = this.#catalogue
    if (!catalogue) return
    const { question, services, slotSources, openings } = asked
    const missing = openings.missing(run, now)
    const { plan, validity } = await this.#load(db, catalogue, asked, { run, missing, now })
    const bookingIndex = bookingIndexOf(plan.booked)
    for (const part of missing) {
      const slotSource = slotSources[part.slotSource]
      if (slotSource) openings.keep(part, timelessOpenings(slotSource, plan, bookingIndex, stretchOf(part)), validity)
    }
    const drawn = { start: plan.bucket * bucketSeconds, end: (plan.bucket + 1) * bucketSeconds }
    const lots = question.byLot ? [drawn] : []
    const always = [...lots, ...question.services.map(({ id }) => bucketOf(id, now))].reduce(intersection)
    const routing = { assigned: plan.assigned, bucket: plan.bucket, bookingIndex }
    const list = dayLister(services, routing, now)
    const days = Array.from({ length: run.days }, (_, index) => {
      const day = run.firstDay + index
      const kept = openings.on(day)
      const page = asked.pages.get(day)
      const old = page && contains(page.validity, now) ? page : undefined
      const invalidated = old && services.map((of) => invalidatedIn(of, old.stale))
      const ever = invalidated
        ? kept.slotSources.filter((_, slotSource) => isInvalidated(slotSources[slotSource], old.stale))
        : kept.slotSources
      const { slots, validity } = invalidated ? dayLister(invalidated, routing, now)(day, ever) : list(day, ever)
      return {
        old,
        slots,
        validity: [kept.validity, validity, ...(old ? [old.validity] : [])].reduce(intersection, always),
      }
    })
    const texts = slotsAsJson(
      days.map(({ slots }) => slots),
      { secret: catalogue.secret, now },
    )
    for (const [index, { old, validity }] of days.entries()) {
      const text = texts[index]
      if (!text) continue
      const whole = old ? withOwn(old.text, old.stale, text) : text
      this.#put(key, asked, run.firstDay + index, { text: whole, validity })
    }
  }

  /** The plan of what is missing: of the times of those alone whose slot sources are, where nobody else's can matter. */
  async #load(
    db: Database,
    catalogue: Catalogue,
    { question, slotSources }: AskedBefore,
    { run, missing, now }: { readonly run: DayRun; readonly missing: readonly SourceRun[]; readonly now: number },
  ): Promise<{ readonly plan: Plan; readonly validity: Interval }> {
    const { services, ranked, before, after, margin } = question
    const ids = new Set(missing.flatMap(({ slotSource }) => slotSources[slotSource]?.eligible ?? []))
    const providers = question.shared ? question.providers : question.providers.filter(({ id }) => ids.has(id))
    const { start, end } = stretchOf(question.shared ? run : hull(missing))
    const occupied = { start: start - before, end: end + after }
    const booked = { start: start - margin, end: end + margin }
    await this.#times.load(db, providers, {
      start: Math.min(occupied.start, booked.start),
      end: Math.max(occupied.end, booked.end),
    })
    const rankedIds = ranked.map(({ id }) => id)
    const assigned = rankedIds.length > 0 ? await loadAssigned(db, rankedIds) : new Map()
    const bucket = Math.floor(now / bucketSeconds)
    return this.#times.plan({ catalogue, services, providers, occupied, booked, now, bucket, assigned })
  }

  #put(key: string, asked: AskedBefore, day: number, { text, validity }: Pick<Page, 'text' | 'validity'>): void {
    const old = asked.pages.get(day)
    if (old) this.#cache.forget(old)
    this.#pagesMade += 1
    const page: Page = {
      text,
      validity,
      stale: new Set(),
      number: this.#pagesMade,
      // A quarter more for the bytes packed, which hang on the page as long as it is kept.
      size: bytesAPage + 2 * key.length + 1.25 * text.bytes.length + bytesASlot * text.starts.length,
      used: true,
      forgotten: () => {
        asked.pages.delete(day)
        asked.last = undefined
        this.#dropIfEmpty(key, asked)
      },
    }
    asked.pages.set(day, page)
    this.#asked.set(key, asked)
    this.#cache.keep(page)
  }

  /** Lets go of the pages that a touch since the last time has made stale. */
  #catchUp(asked: AskedBefore): void {
    const { question, openings, pages } = asked
    const all = this.#before + this.#touches.length
    if (asked.applied === all) return
    if (asked.applied < this.#before) forgetWhole(this.#cache, asked)
    else
      for (let index = asked.applied - this.#before; index < this.#touches.length; index += 1) {
        const invalidated = this.#touches[index]
        const stale = invalidated && staleDays(question, invalidated)
        if (!stale) continue
        const providerId = providerOf(invalidated)
        for (const page of pagesWithin(pages, stale))
          if (asked.apart && providerId !== undefined) page.stale.add(providerId)
          else this.#cache.forget(page)
        if (providerId !== undefined) openings.forget(stale, question.shared ? undefined : providerId)
        else if (invalidated.kind !== 'assigned') openings.forget(stale)
      }
    asked.applied = all
  }

  #forgetAll(): void {
    for (const asked of this.#asked.values()) forgetWhole(this.#cache, asked)
    this.#asked.clear()
  }
}

function isOf({ window, part }: Listed, { start, end }: Interval, wanted: SlotRange | undefined): boolean {
  if (window.start !== start || window.end !== end) return false
  return part?.offset === wanted?.offset && part?.limit === wanted?.limit
}

/** Whether pages can be sent, and if so, that they are used. */
function areGood(pages: readonly (Page | undefined)[], now: number): pages is readonly Page[] {
  for (const page of pages) {
    if (!page || !isGood(page, now)) return false
    page.used = true
  }
  return true
}

function isGood({ stale, validity }: Page, now: number): boolean {
  return stale.size === 0 && contains(validity, now)
}

function isInvalidated(slotSource: SlotSource | undefined, providers: ReadonlySet<number>): boolean {
  return slotSource !== undefined && providers.has(slotSource.provider.id)
}

function invalidatedIn({ service, slotSources }: ServiceSources, providers: ReadonlySet<number>): ServiceSources {
  return { service, slotSources: slotSources.filter((slotSource) => isInvalidated(slotSource, providers)) }
}

function pagesWithin(pages: ReadonlyMap<number, Page>, { first, last }: DayRange): readonly Page[] {
  return [...pages].flatMap(([day, page]) => (day >= first && day <= last ? [page] : []))
}

function forgetWhole(cache: ClockCache, { pages, openings }: AskedBefore): void {
  for (const page of pages.values()) cache.forget(page)
  openings.forget(allDays)
}

function stretchOf({ firstDay, days }: DayRun): Interval {
  return { start: firstDay * dayLength, end: (firstDay + days) * dayLength }
}

/** The least run of days in which all of these lie. */
function hull(runs: readonly DayRun[]): DayRun {
  if (runs.length === 0) return { firstDay: 0, days: 0 }
  const firstDay = Math.min(...runs.map((run) => run.firstDay))
  return { firstDay, days: Math.max(...runs.map((run) => run.firstDay + run.days)) - firstDay }
}

/** Days in a row that have no page for this moment. */
function missingRuns(pages: ReadonlyMap<number, Page>, window: Interval, now: number): readonly DayRun[] {
  const runs: { firstDay: number; days: number }[] = []
  for (let day = utcDayOf(window.start); day * dayLength < window.end; day += 1) {
    const page = pages.get(day)
    if (page && isGood(page, now)) continue
    const last = runs.at(-1)
    if (last && last.firstDay + last.days === day) last.days += 1
    else runs.push({ firstDay: day, days: 1 })
  }
  return runs
}

function keyOf({ serviceIds, providerIds }: AvailabilityFilter): string {
  return `${serviceIds ? `=${serviceIds}` : ''} ${providerIds ? `=${providerIds}` : ''}`
}

/** The provider whose time or reservations changed, if the change is about one. */
function providerOf(invalidated: Invalidation): number | undefined {
  if (invalidated.kind === 'time') return providerIdOf(invalidated.resource)
  return invalidated.kind === 'booked' ? invalidated.providerId : undefined
}
