import type { Outcome } from '../../db/perform/app.ts'
import type { Write } from '../../db/perform/perform.ts'

const maxStored = 10_000

interface Late {
  readonly asked: SlotRequest
  /**
   * The time of the request (Unix seconds). A stored refusal applies in the same second only, because rules such as the
   * minimum notice depend on the time.
   */
  readonly now: number
  readonly outcome: Outcome<unknown>
}

/**
 * A cache of slots that a transaction has just refused as taken, so that further requests for the same slot are refused
 * without waiting in the queue of writes. It refuses a request only if a transaction would also refuse it: for the same
 * slot in the same second, for a customer who is known not to be blocked, and if only bookings by `addReservation` were
 * committed since the slot was refused. See docs/decisions/0019.
 */
export class TakenSlots {
  /**
   * By slot id, the last request whose refusal stays correct whatever is booked afterwards (`lasting` in `Refused`).
   */
  readonly #taken = new Map<unknown, Late>()
  readonly #welcome = new Set<unknown>()

  /**
   * Returns the refusal with which the transaction would certainly refuse this write; undefined when it is not certain.
   */
  refusal({ name, input, context }: Write): Outcome<unknown> | undefined {
    // A request with an idempotency key must store its outcome, so the transaction must run.
    if (this.#taken.size === 0 || name !== booking || context.idempotency) return undefined
    if (!isBooking(input) || !this.#welcome.has(input.customerId)) return undefined
    const late = this.#taken.get(input.availabilityId)
    return late?.now === context.now && isSameSlot(late.asked, input) ? late.outcome : undefined
  }

  /**
   * Records the outcome of a write. It must be called for every write of this thread, in the order of commits and
   * before the response is sent.
   */
  learn({ name, input, context }: Write, outcome: Outcome<unknown>): void {
    if ('fault' in outcome) this.forget()
    else if ('refused' in outcome) {
      if (name !== booking || !outcome.refused.lasting || outcome.replayed) return
      if (!isBooking(input)) return
      if (this.#taken.size >= maxStored || this.#welcome.size >= maxStored) this.forget()
      this.#taken.set(input.availabilityId, { asked: input, now: context.now, outcome })
      this.#welcome.add(input.customerId)
    } else if (name !== booking && !context.dryRun) this.forget()
  }

  /** Forgets every refusal; must be called when a write of another thread may have freed a slot. */
  forget(): void {
    this.#taken.clear()
    this.#welcome.clear()
  }
}

const booking = 'reservations.add'

type SlotRequest = Readonly<
  Record<'customerId' | 'serviceId' | 'providerId' | 'start' | 'end' | 'availabilityId', unknown>
>

function isBooking(input: unknown): input is SlotRequest {
  return typeof input === 'object' && input !== null && 'customerId' in input && 'availabilityId' in input
}

/** Whether two requests with the same slot id also agree in all other data about the slot. */
function isSameSlot(one: SlotRequest, other: SlotRequest): boolean {
  return (
    one.serviceId === other.serviceId &&
    one.providerId === other.providerId &&
    one.start === other.start &&
    one.end === other.end
  )
}
