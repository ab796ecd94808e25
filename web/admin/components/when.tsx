import { Text, type TextProps, Tooltip } from '@mantine/core'
import { useFormats } from '../data/dates/formats.ts'
import { useSession } from '../data/session.ts'

interface WhenProps extends TextProps {
  /** Unix seconds. */
  readonly at: number
  /** An absolute date and time, or a relative time. The tooltip shows the other form and the time zone. */
  readonly as?: 'date' | 'ago'
}

/** An instant in the panel's time zone, which the tooltip names. */
export function When({ at, as = 'date', ...rest }: WhenProps) {
  const { dateTime, ago, zone } = useFormats()
  const now = useSession()?.now ?? at
  const exact = `${dateTime(at)} (${zone})`
  return (
    <Tooltip label={exact}>
      <Text component="time" dateTime={new Date(at * 1000).toISOString()} inherit className="tabular" {...rest}>
        {as === 'ago' ? ago(at, now) : dateTime(at)}
      </Text>
    </Tooltip>
  )
}
