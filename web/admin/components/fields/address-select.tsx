import { Select, type SelectProps } from '@mantine/core'
import { useAddress } from '../../data/address.ts'

interface AddressSelectProps extends SelectProps {
  /** Under which the choice stands in the address. */
  readonly name: string
  /** What is chosen while the address says nothing. */
  readonly unless?: string
}

/** A choice that filters a list and stands in the address. */
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
