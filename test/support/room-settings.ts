import type { Room } from './offers.ts'

interface Sizes {
  readonly capacity?: number
  readonly bufferBeforeMinutes?: number
  readonly bufferAfterMinutes?: number
}

/** The occupancy of reservations under changing settings, which follow the events of services and providers. */
export class Settings {
  readonly #given: readonly Room[]
  /** The durations and buffers, by service and by service and provider. */
  readonly #sizes = new Map<string, Sizes>()
  rooms: readonly Room[]
  /** The number of changes applied. */
  edits = 0

  constructor(given: readonly Room[]) {
    this.#given = given
    this.rooms = given
  }

  /** Applies an event of a service or a provider. */
  follow(kind: string, id: string, object: Readonly<Record<string, unknown>> | null): void {
    if (kind === 'service') this.#sizes.set(id, sizesOf(object?.data))
    if (kind === 'provider')
      for (const [service, own] of Object.entries(Object(object?.services)))
        this.#sizes.set(`${service} ${id}`, sizesOf(own))
    this.edits += 1
    this.rooms = this.#given.map((room) => this.#sized(room))
  }

  #sized(room: Room): Room {
    const service = this.#sizes.get(room.serviceId) ?? {}
    const { capacity, bufferBeforeMinutes, bufferAfterMinutes } = {
      ...service,
      ...this.#sizes.get(`${room.serviceId} ${room.at}`),
    }
    return {
      ...room,
      seats: capacity ?? room.seats,
      before: bufferBeforeMinutes === undefined ? room.before : bufferBeforeMinutes * 60,
      after: bufferAfterMinutes === undefined ? room.after : bufferAfterMinutes * 60,
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
