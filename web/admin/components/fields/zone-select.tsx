import { Select, type SelectProps } from '@mantine/core'
import { useMemo } from 'react'

/** A searchable select of time zones. */
export function ZoneSelect(props: Omit<SelectProps, 'data'>) {
  const { value } = props
  const zones = useMemo(() => [...new Set([value ?? 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort(), [value])
  return <Select searchable allowDeselect={false} limit={50} {...props} data={zones} />
}
