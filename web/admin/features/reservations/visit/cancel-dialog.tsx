import { Box, Button, Checkbox, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { maxPreviewed } from '../../../../../src/payments/desk/desk-payments.ts'
import type { CancellationRefund } from '../../../../../src/reservations/reservation.ts'
import { Modal } from '../../../components/dialogs/modal.tsx'
import { Form, useWriteForm } from '../../../components/fields/write-form.tsx'
import { useFormats } from '../../../data/dates/formats.ts'
import { useSession } from '../../../data/session.ts'
import styles from '../../notifications/templates/preview.module.css'
import RefundChoice from '../../payments/cancellation-refund.tsx'
import { type CancellationQuestion, defaultCancelReasons } from './cancellation.ts'

const few = 5

/**
 * The dialog that asks for the reason of a cancellation, with suggestions, whether the customer is notified, and how
 * much is refunded.
 */
export default function CancelDialog({ question }: { readonly question: CancellationQuestion }) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const { reservations, message, answer } = question
  const count = reservations.length
  const declines = reservations.every(({ status }) => status === 'pending')
  const form = useWriteForm({
    initialValues: { cancelReason: '', notify: true, refund: 'rule' as CancellationRefund },
    write: async ({ cancelReason, notify, refund }) => answer({ cancelReason: cancelReason.trim(), notify, refund }),
  })
  const own = useSession()?.site.cancelReasons ?? []
  const suggested = own.length > 0 ? own : defaultCancelReasons.map((one) => t(`cancellation.reasons.${one}`))
  const { values, getInputProps, setFieldValue } = form.fields
  const close = (): void => answer(undefined)
  return (
    <Modal
      opened
      onClose={close}
      title={t(declines ? 'cancellation.decline' : 'cancellation.title', { count })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form
        form={form}
        submitText={t(declines ? 'reservations.decline' : 'reservations.cancel')}
        beside={
          <Button variant="default" onClick={close}>
            {t('cancellation.keep')}
          </Button>
        }
      >
        <List size="sm" listStyleType={count === 1 ? 'none' : 'disc'}>
          {reservations.slice(0, few).map(({ id, customer, service, start }) => (
            <List.Item key={id} className="breakable">
              {[customer.name || t('reservations.removed'), service.name, dateTime(start)].filter(Boolean).join(', ')}
            </List.Item>
          ))}
          {count > few && <List.Item>{t('calendar.andMore', { count: count - few })}</List.Item>}
        </List>
        <TextInput
          label={t('cancellation.reason')}
          description={t('cancellation.internal')}
          maxLength={500}
          data-autofocus
          {...getInputProps('cancelReason')}
        />
        <Group gap={6}>
          {suggested.map((reason) => (
            <Button
              key={reason}
              size="compact-sm"
              variant={values.cancelReason === reason ? 'light' : 'default'}
              aria-pressed={values.cancelReason === reason}
              onClick={() => setFieldValue('cancelReason', values.cancelReason === reason ? '' : reason)}
            >
              {reason}
            </Button>
          ))}
        </Group>
        <RefundChoice
          ids={reservations.slice(0, maxPreviewed).map(({ id }) => id)}
          value={values.refund}
          onChange={(refund) => setFieldValue('refund', refund)}
        />
        {!message && (
          <Text size="sm" c="dimmed">
            {t('cancellation.noMessage')}
          </Text>
        )}
        {message && (
          <Stack gap={6}>
            <Checkbox label={t('cancellation.notify', { count })} {...getInputProps('notify', { type: 'checkbox' })} />
            {values.notify && (
              <>
                <Text size="xs" c="dimmed" className="breakable">
                  {t('notifications.ask.to', { count, name: message.name, address: message.address })}
                </Text>
                <Text size="sm" fw={600} className="breakable">
                  {message.subject}
                </Text>
                <Box
                  component="pre"
                  className={styles.text ?? ''}
                  mah={180}
                  tabIndex={0}
                  role="region"
                  aria-label={message.subject || t('notifications.log')}
                >
                  {message.text}
                </Box>
              </>
            )}
          </Stack>
        )}
      </Form>
    </Modal>
  )
}
