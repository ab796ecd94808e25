import { Select, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { leading } from '../../../../src/access/users/role-groups.ts'
import type { CancellationRefund } from '../../../../src/reservations/reservation.ts'
import { useFormats } from '../../data/dates/formats.ts'
import { useRead } from '../../data/queries.ts'
import { useHasRole } from '../../data/session.ts'

interface RefundChoiceProps {
  readonly ids: readonly string[]
  readonly value: CancellationRefund
  readonly onChange: (value: CancellationRefund) => void
}

/**
 * Shows the amount that cancelling the reservations `ids` refunds. Managers and administrators can choose to refund
 * everything or nothing instead. Renders nothing if no online or voucher payment of the reservations can be refunded.
 */
export default function RefundChoice({ ids, value, onChange }: RefundChoiceProps) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const chooses = useHasRole(leading)
  const { data = [] } = useRead('GET /payments/cancellation/', { ids: ids.join(',') })
  if (data.length === 0) return null
  const sum = (of: 'rule' | 'all') => data.map((one) => money(one[of], one.currency)).join(', ')
  if (!chooses) return <Text size="sm">{t('payments.cancellation.byRule', { amount: sum('rule') })}</Text>
  return (
    <Select
      label={t('payments.cancellation.title')}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => onChange((chosen ?? 'rule') as CancellationRefund)}
      data={[
        { value: 'rule', label: t('payments.cancellation.rule', { amount: sum('rule') }) },
        { value: 'all', label: t('payments.cancellation.all', { amount: sum('all') }) },
        { value: 'none', label: t('payments.cancellation.none') },
      ]}
    />
  )
}
