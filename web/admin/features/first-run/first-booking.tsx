import { Anchor, Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PanelLink } from '../../components/panel-link.tsx'
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

/** A link that opens the booking page in a new tab. */
export function BookingPageLink() {
  const { t } = useTranslation()
  return (
    <Anchor href="/book/" target="_blank" rel="noopener" underline="always" inherit>
      {t('firstRun.openPage')}
    </Anchor>
  )
}
