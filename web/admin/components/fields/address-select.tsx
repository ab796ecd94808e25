import { Select, type SelectProps } from '@mantine/core'
import { useAddress } from '../../data/address.ts'

interface AddressSelectProps extends SelectProps {
  /** The query parameter that holds the choice. */
  readonly name: string
  /** The value when the query parameter is absent. */
  readonly unless?: string
}

/** A select filter whose value is a query parameter. */
export function AddressSelect({ name, unless = '', ...rest }: AddressSelectProps) {
  const [address, change] = useAddress()
  return (
    <Select
      clearable={unless === ''}
      allowDeselect={false}
      {...rest}
      value={address[name] || unless || null}
      onChange={(value) => change({ [name]: value === unless ? '' : (value ?? ''), page: '' })}
    />
  )
}
