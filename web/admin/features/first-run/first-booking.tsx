import { Anchor, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
import { useRead } from '../../data/queries.ts'
import { BookButton } from '../reservations/book-button.tsx'

interface FirstBookingProps {
  /** Whether there is a reservation. */
  readonly done: boolean
}

/** The first-run step that makes a booking, in the panel or as a customer on the booking page. */
export function FirstBooking({ done }: FirstBookingProps) {
  const { t } = useTranslation()
  return (
    <>
      <Text size="sm">
        {t('firstRun.asCustomer')} <BookingPageLink />
      </Text>
      <Group justify="flex-end" gap="xs">
        {done && (
          <Button component={PanelLink} to="/" variant="default">
            {t('firstRun.finish')}
          </Button>
        )}
        <BookButton />
      </Group>
    </>
  )
}

/** A link that opens the booking page in a new tab; while the page is closed to visitors, a link to its settings. */
export function BookingPageLink() {
  const { t } = useTranslation()
  const { data } = useRead('GET /booking-page/', {})
  if (data && !data.settings.enabled)
    return (
      <Anchor component={PanelLink} to="/settings/booking-page" underline="always" inherit>
        {t('firstRun.closedPage')}
      </Anchor>
    )
  return (
    <Anchor href="/book/" target="_blank" rel="noopener" underline="always" inherit>
      {t('firstRun.openPage')}
    </Anchor>
  )
}
