import { useAddress } from '../../data/address.ts'
import { isDate } from '../../data/dates/dates.ts'
import { DateField } from './date-field.tsx'

interface AddressDateProps {
  /** Under which the date (`YYYY-MM-DD`) stands in the address. */
  readonly name: string
  readonly label: string
  readonly title?: string
}

/** A date that filters a list. */
export function AddressDate({ name, ...rest }: AddressDateProps) {
  const [address, change] = useAddress()
  const kept = address[name]
  return (
    <DateField
      {...rest}
      w={{ base: '100%', sm: 150 }}
      clearable
      missingYear="nearest"
      value={isDate(kept) ? kept : null}
      onChange={(date) => change({ [name]: date ?? '', page: '' })}
    />
  )
}
