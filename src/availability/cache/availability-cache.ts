import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Service } from '../../catalogue/services/service.ts'
import type { ReadDatabase } from '../../db/database.ts'
import type { Invalidation } from '../../scheduling/invalidation.ts'
import { contains, type Interval } from '../../scheduling/time/interval.ts'
import { Semaphore } from '../../semaphore.ts'
import { rankedServices } from '../plan.sql.ts'
import type { CachedQuestion } from './cached-question.ts'
import { Changes } from './changes.ts'
import { ClockCache } from './clock-cache.ts'
import { type DayRange, daysOf, daysWithout, stepsOf } from './day-range.ts'
import { type ListedSlots, listSlots, type NumberedText } from './listed-slots.ts'
import {
  dayParts,
  type MergeContext,
  type MergedDay,
  mergedValidity,
  partsOf,
  poolsAmong,
  routed,
} from './merge-day.ts'
import {
  type AvailabilityFilter,
  type AvailabilityQuery,
  askedServices,
  isSameCut,
  keyOf,
  queryWindow,
} from './question.ts'
import { RecentKeys } from './recent-keys.ts'
import { RoutingCounts } from './routing-counts.ts'
import { mergeDays, type SlotText, type TextPart } from './slot-text.ts'
import { type StreamedSlots, streamSlots } from './streamed-slots.ts'
import { computeUnits, loadUnitPlan, type SourceUnits, sourceUnitsOf, type Unit, type UnitRange } from './units.ts'

/** The options of an `AvailabilityCache`. */
export interface AvailabilityCacheOptions {
  /** The size in bytes to which eviction reduces the cache after each list and after each day of a streamed list. */
  readonly maxBytes: number
  /** Whether every commit older than one second has been applied to the cache; while false, the cache is not used. */
  readonly isFresh?: () => boolean
  /**
   * Whether other threads of this process answer requests, so that one may answer a write before this thread has
   * received its invalidations; false when absent.
   */
  readonly isShared?: boolean
  /** The maximum number of units (one source on one day each) of a list that is not streamed; 4,000 when absent. */
  readonly maxUnitsAtOnce?: number
}

const maxTries = 4
// The size of a unit in bytes from which the number of units that a streamed list loads in advance is derived. Most
// units are smaller, so that several streamed lists at once do not evict each other's units.
const unitBytesInAdvance = 8_192
// The maximum number of remembered questions that were asked once. Caching them would cost garbage collection, for
// example where a directory shows other providers to each visitor.
const maxAskedOnce = 1_000
// The maximum number of concurrent loads. Only PostgreSQL runs them concurrently; SQLite runs one snapshot at a time.
const loadsAtOnce = 4

/**
 * A cache of the bookable slots of a site. A unit of the cache is the slots of one source (a provider, or all providers
 * of a collective service) on one UTC day. A unit is computed from one snapshot. It stays valid at most until a commit
 * changes one of its dependencies, a hold (a temporary reservation) or a pending reservation expires, or the last
 * reading of a connected calendar becomes too old. See ARCHITECTURE.md.
 */
export class AvailabilityCache {
  readonly #db: ReadDatabase
  readonly #isFresh: () => boolean
  readonly #isShared: boolean
  readonly #maxUnitsAtOnce: number
  readonly #maxUnitsInAdvance: number
  readonly #cache: ClockCache
  readonly #changes = new Changes()
  readonly #maker = randomBytes(6).toString('base64url')
  readonly #loads = new Semaphore(loadsAtOnce)
  readonly #questions = new Map<string, CachedQuestion>()
  /** The keys of questions that were asked once and are not cached. */
  readonly #askedOnce = new RecentKeys(maxAskedOnce)
  readonly #sources = new Map<Service, readonly SourceUnits[]>()
  readonly #routingCounts: RoutingCounts
  #catalogue: Catalogue | undefined
  #numbers = 0

  constructor(db: ReadDatabase, options: AvailabilityCacheOptions) {
    const { maxBytes, isFresh = () => true, isShared = false, maxUnitsAtOnce = 4_000 } = options
    this.#db = db
    this.#cache = new ClockCache(maxBytes)
    this.#routingCounts = new RoutingCounts(db, this.#changes)
    this.#isFresh = isFresh
    this.#isShared = isShared
    this.#maxUnitsAtOnce = maxUnitsAtOnce
    this.#maxUnitsInAdvance = Math.floor(maxBytes / unitBytesInAdvance)
  }

  /** Makes units that depend on the changes stale; for a write of this process, called before its response is sent. */
  invalidate(invalidations: readonly Invalidation[]): void {
    this.#changes.apply(invalidations)
    if (invalidations.some(({ subject }) => subject === 'catalogue' || subject === 'everything')) this.#reset(undefined)
  }

  /**
   * Returns the list from cached data alone; undefined if data is missing or stale, if the list is too long, or while
   * commits that other threads may have answered are not applied yet.
   */
  find(query: AvailabilityQuery): ListedSlots | undefined {
    return this.#isShared && this.#db.caughtUp() ? undefined : this.#find(query)
  }

  #find(query: AvailabilityQuery): ListedSlots | undefined {
    if (!this.#catalogue || !this.#isFresh()) return undefined
    const question = this.#question(this.#catalogue, query)
    question.used = true
    const { part, now } = query
    const window = queryWindow(question.horizon, query)
    const { last } = question
    if (last && isSameCut(last, { window, part }) && last.days.every((day) => this.#isGood(day, now))) return last.list
    const range = daysOf(window)
    if (this.#isLarge(question, range) || !this.#hasCounts(question)) return undefined
    const days = question.cached ? this.#days(question, range, now) : undefined
    const texts = question.cached ? days : this.#once(question, range, now)
    if (!texts) return undefined
    const list = listSlots(texts, { from: window.start, until: window.end, part, maker: this.#maker })
    if (days) question.last = { window, part, days, list }
    else this.#askedOnce.add(question.key)
    this.#cache.evict()
    return list
  }

  /**
   * Returns a query's slots and computes missing units. On SQLite, a list that is not streamed shows one state of the
   * database, no older than the query; so does each day of a streamed list. On PostgreSQL, commits of other nodes may
   * be missing for up to a second. After `maxTries` tries, or when the cache is not fresh, the list is computed with an
   * empty cache to which no changes are applied; it may combine several recent states.
   */
  async list(query: AvailabilityQuery): Promise<ListedSlots | StreamedSlots> {
    if (this.#isShared) await this.#db.caughtUp()
    for (let tries = 0; tries < maxTries && this.#isFresh(); tries += 1) {
      const question = this.#question(await this.#currentCatalogue(), query)
      const window = queryWindow(question.horizon, query)
      const range = daysOf(window)
      if (this.#isLarge(question, range)) return this.#stream(query, window, question.sources.length)
      await this.#fill(question, range, query.now)
      const found = this.#find(query)
      if (found) return found
    }
    return this.#alone().list(query)
  }

  /** Returns an empty cache to which no changes are applied, so that its units stay valid for the list of one query. */
  #alone(): AvailabilityCache {
    return new AvailabilityCache(this.#db, { maxBytes: 0, maxUnitsAtOnce: this.#maxUnitsAtOnce })
  }

  #isLarge({ sources }: CachedQuestion, { firstDay, lastDay }: DayRange): boolean {
    return (lastDay - firstDay + 1) * sources.length > this.#maxUnitsAtOnce
  }

  /** Returns the merged slots of each day of a range; undefined when cached data is missing or stale. */
  #days(question: CachedQuestion, { firstDay, lastDay }: DayRange, now: number): readonly MergedDay[] | undefined {
    const days: MergedDay[] = []
    for (let number = firstDay; number <= lastDay; number += 1) {
      const known = question.days.get(number)
      const day = known && this.#isGood(known, now) ? known : this.#merge(question, number, now)
      if (!day) return undefined
      days.push(day)
    }
    return days
  }

  /** Merges the slots of a range of days into one text that is not cached; undefined if data is missing or stale. */
  #once(question: CachedQuestion, { firstDay, lastDay }: DayRange, now: number): readonly NumberedText[] | undefined {
    const context = this.#context(question, now)
    const days: (readonly TextPart[])[] = []
    for (let number = firstDay; number <= lastDay; number += 1) {
      const units = this.#currentUnits(question, number, now)
      if (!units) return undefined
      days.push(partsOf(question.services, units, context))
    }
    this.#numbers += 1
    return [{ text: mergeDays(days), number: this.#numbers }]
  }

  /**
   * Merges the slots of a day from its units, or from its pools if only routing counts have changed; undefined if a
   * unit is missing or stale.
   */
  #merge(question: CachedQuestion, number: number, now: number): MergedDay | undefined {
    const old = question.days.get(number)
    // A change of routing counts alone changes neither the validity nor the other dependencies of the day.
    const intact = old && this.#isIntact(old, now) ? old : undefined
    const units = intact?.pools ? [] : this.#currentUnits(question, number, now)
    if (!units) return undefined
    const context = this.#context(question, now)
    const parts = intact?.pools ?? dayParts(question.services, units, context)
    const text = mergeDays([routed(parts, context)])
    this.#numbers += 1
    const pools = poolsAmong(parts)
    const { validity, dependencies } = intact ?? {
      validity: mergedValidity(question.services, units, now),
      dependencies: this.#changes.merged(units.map((unit) => unit.dependencies)),
    }
    const shared = units.length === 1 && text === units[0]?.text?.slots
    const textBytes = shared ? 0 : text.bytes.length + 12 * text.starts.length
    const poolBytes = pools?.reduce((sum, { size }) => sum + size, 0) ?? 0
    const day: MergedDay = {
      text,
      number: this.#numbers,
      validity,
      dependencies,
      assigned: this.#routingCounts.dependencies(question.ranked),
      pools,
      size: 400 + 16 * question.sources.length + textBytes + poolBytes,
      used: true,
      evicted: () => {
        if (question.days.get(number) !== day) return
        question.days.delete(number)
        question.last = undefined
      },
    }
    if (old) this.#cache.remove(old)
    question.days.set(number, day)
    this.#cache.add(day)
    return day
  }

  #context({ catalogue: { secret } }: CachedQuestion, now: number): MergeContext {
    return { assigned: ({ id }) => this.#routingCounts.of(id), secret, now }
  }

  /** Returns a day's units in source order; undefined if a unit is missing or stale. */
  #currentUnits(question: CachedQuestion, day: number, now: number): readonly Unit[] | undefined {
    const units: Unit[] = []
    for (const { days } of question.sources) {
      const unit = days.get(day)
      if (!unit || !this.#isCurrent(unit, now)) return undefined
      unit.used = true
      units.push(unit)
    }
    return units
  }

  /** Whether the routing counts (`Assigned`) of a question's services have been loaded and have not changed since. */
  #hasCounts({ ranked }: CachedQuestion): boolean {
    return ranked.every((id) => this.#routingCounts.isCurrent(id))
  }

  /** Loads the missing or stale units and routing counts (`Assigned`) of days; stops when the catalogue changes. */
  async #fill(question: CachedQuestion, range: DayRange, now: number): Promise<void> {
    await this.#routingCounts.load(question.ranked)
    // Most changes concern few days. The other merged days of a cached question are current, or are routed again, so
    // that their units need not be checked one by one.
    const days = daysWithout(question, range, (day) => (day.pools ? this.#isIntact(day, now) : this.#isGood(day, now)))
    if (!days) return
    const missing = question.sources.flatMap((source) => {
      const lacking = daysWithout(source, days, (unit) => this.#isCurrent(unit, now))
      return lacking ? [{ source, ...lacking }] : []
    })
    for (const step of stepsOf(missing)) if (!(await this.#load(question, step, now))) return
  }

  /** Computes the units of `range` from one snapshot; returns false if the catalogue of `question` is out of date. */
  async #load(question: CachedQuestion, range: UnitRange, now: number): Promise<boolean> {
    await this.#loads.acquire()
    try {
      // On SQLite, the snapshot may contain a commit that `#changes` counts only later. The units (the slots of one
      // provider on one day) computed here would then be stale too early, which costs a computation; waiting makes it
      // rare.
      await this.#db.caughtUp()
      const { sequence } = this.#changes
      const plan = await this.#db.snapshot(async (db) =>
        // Not compared by identity: the cache of catalogues may have evicted this version and read it again.
        (await loadCatalogue(db)).version === question.catalogue.version
          ? await loadUnitPlan(db, question.catalogue, range, now)
          : undefined,
      )
      if (!plan || this.#catalogue !== question.catalogue) return false
      computeUnits(plan, range, { cache: this.#cache, changes: this.#changes, sequence })
      return true
    } finally {
      this.#loads.release()
      await setImmediate()
    }
  }

  /** Streams the slots that match a query; different days may show different states of the database (see `list`). */
  #stream(query: AvailabilityQuery, window: Interval, sourceCount: number): Promise<StreamedSlots> {
    const daysAtOnce = Math.max(1, Math.floor(this.#maxUnitsInAdvance / sourceCount))
    return streamSlots(query, { window, daysAtOnce }, async (day, lastDay) => {
      const text = await this.#dayText(query, day, lastDay)
      this.#cache.evict()
      return text
    })
  }

  /** Returns the merged slots of a day; also loads missing units of the days after it, through `lastDay`. */
  async #dayText(query: AvailabilityQuery, day: number, lastDay: number): Promise<SlotText> {
    for (let tries = 0; tries < maxTries && this.#isFresh(); tries += 1) {
      const question = this.#question(await this.#currentCatalogue(), query)
      await this.#fill(question, { firstDay: day, lastDay }, query.now)
      const current = this.#catalogue === question.catalogue && this.#hasCounts(question)
      const units = current && this.#currentUnits(question, day, query.now)
      if (units) return mergeDays([partsOf(question.services, units, this.#context(question, query.now))])
    }
    return this.#alone().#dayText(query, day, day)
  }

  async #currentCatalogue(): Promise<Catalogue> {
    let catalogue = this.#catalogue
    while (!catalogue) {
      await this.#db.caughtUp()
      const read = this.#changes.dependencies(this.#changes.sequence, [])
      const found = await loadCatalogue(this.#db)
      // If a commit has changed the catalogue since the read began, the catalogue is read again.
      if (this.#changes.isCurrent(read)) catalogue = found
    }
    return catalogue
  }

  #question(catalogue: Catalogue, filter: AvailabilityFilter): CachedQuestion {
    if (catalogue !== this.#catalogue) this.#reset(catalogue)
    const key = keyOf(filter)
    const known = this.#questions.get(key)
    if (known) return known
    const named = filter.providerIds && new Set(filter.providerIds)
    const services = askedServices(catalogue, filter)
      .filter(({ settings }) => settings.active)
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map((service) => ({
        service,
        sources: this.#sourcesOf(catalogue, service).filter(
          ({ slotSource }) => !named || slotSource.members.some(({ provider }) => named.has(provider.id)),
        ),
      }))
    const sources = services.flatMap((service) => service.sources)
    const cached = sources.length === 1 || this.#askedOnce.delete(key)
    const question: CachedQuestion = {
      key,
      catalogue,
      services,
      sources,
      ranked: services.flatMap(({ service }) => (rankedServices.has(service.settings.routingMode) ? [service.id] : [])),
      horizon: Math.max(0, ...sources.map(({ slotSource }) => slotSource.rule.horizon)),
      days: new Map(),
      cached,
      last: undefined,
      size: 600 + 2 * key.length + 16 * sources.length,
      used: true,
      evicted: () => {
        if (this.#questions.get(key) === question) this.#questions.delete(key)
        for (const day of [...question.days.values()]) this.#cache.remove(day)
      },
    }
    if (!cached) return question
    this.#questions.set(key, question)
    this.#cache.add(question)
    return question
  }

  #sourcesOf(catalogue: Catalogue, service: Service): readonly SourceUnits[] {
    const known = this.#sources.get(service)
    if (known) return known
    const made = sourceUnitsOf(catalogue, service)
    this.#sources.set(service, made)
    return made
  }

  #reset(catalogue: Catalogue | undefined): void {
    for (const question of [...this.#questions.values()]) this.#cache.remove(question)
    for (const sources of this.#sources.values())
      for (const { days } of sources) for (const unit of [...days.values()]) this.#cache.remove(unit)
    this.#sources.clear()
    this.#routingCounts.clear()
    this.#catalogue = catalogue
  }

  #isCurrent(unit: Unit, now: number): boolean {
    return contains(unit.validity, now) && this.#changes.isCurrent(unit.dependencies)
  }

  /** Whether a merged day is valid at `now` and has no changed dependency; if true, marks it as used. */
  #isGood(day: MergedDay, now: number): boolean {
    if (!this.#isIntact(day, now)) return false
    if (!day.assigned.every((dependencies) => this.#changes.isCurrent(dependencies))) return false
    day.used = true
    return true
  }

  /** Whether the units of a merged day have not changed; routing counts (`Assigned`) may have. */
  #isIntact({ validity, dependencies }: MergedDay, now: number): boolean {
    return contains(validity, now) && this.#changes.areCurrent(dependencies)
  }
}
