import { isDate } from '../../data/dates/dates.ts'
import { useSiteZone } from '../../data/dates/formats.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { DateField } from './date-field.tsx'

interface QueryDateFieldProps {
  /** The query parameter that holds the date (`YYYY-MM-DD`). */
  readonly name: string
  readonly label: string
  readonly title?: string
  /** The date that applies while the query parameter is absent or invalid; no date when undefined. */
  readonly fallback?: string
}

/** A filter by a date in the site's time zone, whose value is a query parameter. */
export function QueryDateField({ name, fallback, ...rest }: QueryDateFieldProps) {
  const [parameters, change] = useQueryParameters()
  const zone = useSiteZone()
  const current = parameters[name]
  return (
    <DateField
      {...rest}
      w={{ base: '100%', sm: 150 }}
      clearable={fallback === undefined}
      missingYear="nearest"
      zone={zone}
      value={isDate(current) ? current : (fallback ?? null)}
      onChange={(date) => change({ [name]: date ?? '', page: '' })}
    />
  )
}
