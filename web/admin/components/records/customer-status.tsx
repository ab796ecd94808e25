import { Badge } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CustomerStatus } from '../../../../src/customers/customer.ts'

/** The statuses of customers with label and colour, in the order in which they are offered. */
export const customerStatuses = [
  { value: 1, word: 'active', color: 'teal' },
  { value: 0, word: 'inactive', color: 'gray' },
  { value: 2, word: 'blocked', color: 'red' },
] as const satisfies readonly { value: CustomerStatus; word: string; color: string }[]

/** A badge for an active, inactive or blocked customer; renders nothing when the status is null. */
export function CustomerStatusBadge({ status }: { readonly status: CustomerStatus | null }) {
  const { t } = useTranslation()
  const found = customerStatuses.find(({ value }) => value === status)
  return found ? <Badge color={found.color}>{t(`customers.statuses.${found.word}`)}</Badge> : null
}
