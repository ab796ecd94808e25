import { useTranslation } from 'react-i18next'
import { type DisputeState, disputeReasons } from '../../../../src/payments/disputes/dispute.ts'
import { useFormats } from '../../data/dates/formats.ts'

interface ShownDispute {
  readonly amount: number
  readonly currency: string
  readonly reason: string
  readonly state: DisputeState
  readonly dueAt: number | null
}

/**
 * Returns a function that describes a dispute. The text of a decided dispute contains the amount and the outcome. The
 * text of an open dispute contains the amount, the reason and, if evidence can still be submitted, the deadline.
 */
export function useDisputeText(): (dispute: ShownDispute) => string {
  const { t } = useTranslation()
  const { money, longDate } = useFormats()
  return ({ amount: units, currency, reason: code, state, dueAt }) => {
    const amount = money(units, currency)
    if (state === 'won' || state === 'lost') return t(`payments.disputes.${state}`, { amount })
    const reason = t(`payments.disputes.reasons.${disputeReasons.find((one) => one === code) ?? 'other'}`)
    if (dueAt === null) return t('payments.disputes.waiting', { amount, reason })
    return t('payments.disputes.open', { amount, reason, date: longDate(dueAt) })
  }
}
