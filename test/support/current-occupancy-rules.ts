import type { OccupancyRule } from './offerings.ts'

interface Sizes {
  readonly capacity?: number
  readonly bufferBeforeMinutes?: number
  readonly bufferAfterMinutes?: number
}

/**
 * The `OccupancyRule`s of all services and providers (the time and seats that reservations occupy), updated by each
 * event that changes the capacity or the buffers of a service or of one of its providers.
 */
export class CurrentOccupancyRules {
  readonly #initial: readonly OccupancyRule[]
  /**
   * The capacity and buffers that events have set: of a service by its id, and of a provider of a service by both ids,
   * as `serviceId providerId`.
   */
  readonly #sizes = new Map<string, Sizes>()
  rules: readonly OccupancyRule[]
  /** The number of events applied. */
  edits = 0

  constructor(given: readonly OccupancyRule[]) {
    this.#initial = given
    this.rules = given
  }

  /** Applies an event of a service or a provider; `object` is its state after the change, or null if it was removed. */
  apply(kind: string, id: string, object: Readonly<Record<string, unknown>> | null): void {
    if (kind === 'service') this.#sizes.set(id, sizesOf(object?.data))
    if (kind === 'provider')
      for (const [service, own] of Object.entries(Object(object?.services)))
        this.#sizes.set(`${service} ${id}`, sizesOf(own))
    this.edits += 1
    this.rules = this.#initial.map((rule) => this.#sized(rule))
  }

  #sized(rule: OccupancyRule): OccupancyRule {
    const service = this.#sizes.get(rule.serviceId) ?? {}
    const { capacity, bufferBeforeMinutes, bufferAfterMinutes } = {
      ...service,
      ...this.#sizes.get(`${rule.serviceId} ${rule.occupiedProviderId}`),
    }
    return {
      ...rule,
      seats: capacity ?? rule.seats,
      before: bufferBeforeMinutes === undefined ? rule.before : bufferBeforeMinutes * 60,
      after: bufferAfterMinutes === undefined ? rule.after : bufferAfterMinutes * 60,
    }
  }
}

function sizesOf(settings: unknown): Sizes {
  const known = Object(settings)
  return Object.fromEntries(
    ['capacity', 'bufferBeforeMinutes', 'bufferAfterMinutes']
      .map((name) => [name, known[name]] as const)
      .filter(([, value]) => typeof value === 'number'),
  )
}
