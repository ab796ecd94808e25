import type { Outcome } from '../../db/perform/app.ts'
import type { Write } from '../../db/perform/perform.ts'

const mostKept = 10_000

interface Late {
  readonly asked: Asked
  /** The second in which it was asked: what else decides moves with the clock. */
  readonly now: number
  readonly outcome: Outcome<unknown>
}

/**
 * Remembers which slots the writer has just refused as taken, so that those who come too late for the same one are told
 * so without a place in its queue. It answers only what the transaction would: for the same slot, in the same second,
 * while nothing but bookings was committed since, and for customers who may book. See decisions/0019.
 */
export class TakenSlots {
  /** By the id under which the slot was shown. */
  readonly #taken = new Map<unknown, Late>()
  readonly #welcome = new Set<unknown>()

  /** The refusal that this write would meet, where that is certain. */
  refusal({ name, input, context }: Write): Outcome<unknown> | undefined {
    // A call with a key leaves its answer behind: that is a write.
    if (this.#taken.size === 0 || name !== booking || context.idempotency) return undefined
    if (!isBooking(input) || !this.#welcome.has(input.customerId)) return undefined
    const late = this.#taken.get(input.availabilityId)
    return late?.now === context.now && isSameSlot(late.asked, input) ? late.outcome : undefined
  }

  /** Learns from the answer of a write; to be told of all of them, in the order of their commits, before anyone else is. */
  learn({ name, input, context }: Write, outcome: Outcome<unknown>): void {
    if ('fault' in outcome) this.#forget()
    else if ('refused' in outcome) {
      if (name !== booking || !outcome.refused.lasting || outcome.replayed) return
      if (!isBooking(input)) return
      if (this.#taken.size >= mostKept || this.#welcome.size >= mostKept) this.#forget()
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

type Asked = Readonly<Record<'customerId' | 'serviceId' | 'providerId' | 'start' | 'end' | 'availabilityId', unknown>>

function isBooking(input: unknown): input is Asked {
  return typeof input === 'object' && input !== null && 'customerId' in input && 'availabilityId' in input
}

/** Whether two ask for the same slot under the same id, as that decides too. */
function isSameSlot(one: Asked, other: Asked): boolean {
  return (
    one.serviceId === other.serviceId &&
    one.providerId === other.providerId &&
    one.start === other.start &&
    one.end === other.end
  )
}
