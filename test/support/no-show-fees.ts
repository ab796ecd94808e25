import assert from 'node:assert/strict'
import { now } from './clinic.ts'
import { type PaymentTestSite, waitUntil } from './payment-test-site.ts'
import type { BankVerdict } from './stripe-cards.ts'

/** The no-show fee of the service `paid` on a site of `noShowFeesOf`, in cents: 40 percent of the price. */
export const fee = 1_800

/** Returns the steps by which tests charge the no-show fee of the service `paid`; the site must require that fee. */
export function noShowFeesOf({ site, admin, payers }: Pick<PaymentTestSite, 'site' | 'admin' | 'payers'>) {
  const mark = (id: string, state: string, by = admin) => by.post('/reservations/attendance/', { id, state })
  /** Books a reservation with a saved card, whose charges end with the verdict. */
  async function booked(verdict: BankVerdict = 'approved') {
    const { visitor, id } = await payers.book('paid')
    return { visitor, id, card: await payers.saveCard(id, verdict) }
  }
  const findLink = async (id: string, state: 'open' | 'closed') => {
    const [row] = await site.sql(
      "select p.* from payment p join payment_share s on s.payment_id = p.id where reservation_id = ? and purpose = 'link' and p.state = ?",
      [id, state],
    )
    return row
  }
  return {
    mark,
    booked,
    /** Books a reservation with a saved card and marks it as a no-show. */
    async missed(verdict?: BankVerdict) {
      const made = await booked(verdict)
      assert.equal((await mark(made.id, 'no_show')).status, 200)
      return made
    },
    charge: (id: string, amount = fee, by = admin) =>
      by.post('/payments/no-show/charge/', { reservationId: id, amount }),
    feeState: async (id: string) => (await payers.reservation(id)).payment.noShowFee.state,
    /** Requests the fee by a payment link, which must succeed. */
    async sendLink(id: string): Promise<void> {
      assert.equal((await admin.post('/payments/no-show/link/', { reservationId: id, amount: fee })).status, 200)
    },
    /**
     * Resolves to the payment that a customer makes through a payment link, once the processor has a payment page for
     * it; the job that creates the page is repeated until then.
     */
    linkOf: (id: string) =>
      waitUntil(async () => {
        await site.sql("update job set run_at = ? where kind = 'payment-sync' and state = 'due'", [now])
        return findLink(id, 'open')
      }, 'the page of the processor'),
    /** Resolves when the payment link of a reservation was closed without a payment. */
    linkClosed: (id: string) => waitUntil(() => findLink(id, 'closed'), 'the end of the link'),
  }
}
