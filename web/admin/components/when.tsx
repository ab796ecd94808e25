import { Text, type TextProps, Tooltip } from '@mantine/core'
import { useFormats } from '../data/dates/formats.ts'
import { useSession } from '../data/session.ts'

interface WhenProps extends TextProps {
  /** Unix seconds. */
  readonly at: number
  /** As a date and time, or as how long ago; the other one, and the zone, on hover and focus. */
  readonly as?: 'date' | 'ago'
}

/** A moment, in the zone that the panel shows; which zone that is stands in its tooltip. */
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
