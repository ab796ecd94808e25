import type { Outcome } from '../../db/perform/app.ts'
import type { Write } from '../../db/perform/perform.ts'

const maxStored = 10_000

interface Late {
  readonly asked: SlotRequest
  /** The second in which the request is checked, since rules such as the lead time depend on the clock. */
  readonly now: number
  readonly outcome: Outcome<unknown>
}

/**
 * Remembers which slots the writer has just refused as taken, so that late requests for the same slot are refused
 * without queueing. It refuses only what the transaction would: the same slot, in the same second, while only bookings
 * were committed since, and for customers who may book. See decisions/0019.
 */
export class TakenSlots {
  /** The latest refused requests, by the slot id with which they were sent. */
  readonly #taken = new Map<unknown, Late>()
  readonly #welcome = new Set<unknown>()

  /** Returns the refusal that the transaction would give to this write; undefined when that is not certain. */
  refusal({ name, input, context }: Write): Outcome<unknown> | undefined {
    // A call with an idempotency key stores its outcome, which is a write.
    if (this.#taken.size === 0 || name !== booking || context.idempotency) return undefined
    if (!isBooking(input) || !this.#welcome.has(input.customerId)) return undefined
    const late = this.#taken.get(input.availabilityId)
    return late?.now === context.now && isSameSlot(late.asked, input) ? late.outcome : undefined
  }

  /** Records the outcome of a write. Call it for every write, in commit order, before the response. */
  learn({ name, input, context }: Write, outcome: Outcome<unknown>): void {
    if ('fault' in outcome) this.#forget()
    else if ('refused' in outcome) {
      if (name !== booking || !outcome.refused.lasting || outcome.replayed) return
      if (!isBooking(input)) return
      if (this.#taken.size >= maxStored || this.#welcome.size >= maxStored) this.#forget()
      this.#taken.set(input.availabilityId, { asked: input, now: context.now, outcome })
      this.#welcome.add(input.customerId)
    } else if (name !== booking && !context.dryRun) this.#forget()
  }

  #forget(): void {
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

/** Whether two requests are for the same slot under the same id. */
function isSameSlot(one: SlotRequest, other: SlotRequest): boolean {
  return (
    one.serviceId === other.serviceId &&
    one.providerId === other.providerId &&
    one.start === other.start &&
    one.end === other.end
  )
}
