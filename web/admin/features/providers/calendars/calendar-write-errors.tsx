import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../data/queries.ts'
import { translateMessage } from '../../../i18n/index.ts'

// The calendars are polled: a background job writes to them, and its faults are not in the event log, so the event
// stream (`useLive`) does not report them.
const pollMilliseconds = 3_000

/**
 * Lists the calendars to which a reservation could not be written as intended, with the reasons; renders nothing when
 * there are none.
 */
export function CalendarWriteErrors({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const query = { reservationId: id }
  const { data } = useRead('GET /calendar-events/', query, { refetchAfter: () => pollMilliseconds })
  const failing = (data ?? []).filter(
    ({ fault, contested, withoutMeeting }) => fault !== null || contested || withoutMeeting,
  )
  if (failing.length === 0) return null
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('accounts.troubleTitle')}>
      {failing.map(({ providerId, calendar, fault, contested, withoutMeeting }) => (
        <Text key={`${providerId} ${calendar}`} size="sm" className="breakable">
          {calendar !== '' && <b>{calendar}: </b>}
          {fault && `${translateMessage(fault)} ${t('accounts.triedAgain')}`}
          {contested && t('accounts.contested')}
          {withoutMeeting && t('accounts.withoutMeeting')}
        </Text>
      ))}
    </Alert>
  )
}
