import { useAddress } from '../../data/address.ts'
import { isDate } from '../../data/dates/dates.ts'
import { DateField } from './date-field.tsx'

interface AddressDateProps {
  /** The query parameter that holds the date (`YYYY-MM-DD`). */
  readonly name: string
  readonly label: string
  readonly title?: string
  /** The date that counts while the query parameter is absent; none when absent. */
  readonly unless?: string
}

/** A date filter whose value is a query parameter. */
export function AddressDate({ name, unless, ...rest }: AddressDateProps) {
  const [address, change] = useAddress()
  const kept = address[name]
  return (
    <DateField
      {...rest}
      w={{ base: '100%', sm: 150 }}
      clearable={unless === undefined}
      missingYear="nearest"
      value={isDate(kept) ? kept : (unless ?? null)}
      onChange={(date) => change({ [name]: date ?? '', page: '' })}
    />
  )
}
