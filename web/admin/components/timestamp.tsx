import { Text, type TextProps, Tooltip } from '@mantine/core'
import { useFormats } from '../data/dates/formats.ts'
import { useSession } from '../data/session.ts'

interface TimestampProps extends TextProps {
  /** The instant, in Unix seconds. */
  readonly at: number
  /** `date` shows date and time, `ago` a relative time; the tooltip shows date, time and time zone in both cases. */
  readonly as?: 'date' | 'ago'
}

/** Shows an instant in the panel's time zone; the tooltip names the zone. */
export function Timestamp({ at, as = 'date', ...rest }: TimestampProps) {
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
