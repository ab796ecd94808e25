import { Select, type SelectProps } from '@mantine/core'
import { useQueryParameters } from '../../data/query-parameters.ts'

interface QuerySelectProps extends SelectProps {
  /** The query parameter that holds the choice. */
  readonly name: string
  /** The choice that applies while the query parameter is absent; no choice when undefined. */
  readonly fallback?: string
}

/** A select filter whose value is a query parameter. */
export function QuerySelect({ name, fallback = '', ...rest }: QuerySelectProps) {
  const [parameters, change] = useQueryParameters()
  return (
    <Select
      clearable={fallback === ''}
      allowDeselect={false}
      {...rest}
      value={parameters[name] || fallback || null}
      onChange={(value) => change({ [name]: value === fallback ? '' : (value ?? ''), page: '' })}
    />
  )
}
