import { Alert, Button, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { ErrorMessage } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useHasRole } from '../../data/session.ts'
import { refusalTitle, type StatusChange } from './status-change.ts'
import { isRuleViolation, StatusOverrideDialog } from './status-override.tsx'

/**
 * Lists the reservations whose status change was refused, each with the error and, where the user's role and the
 * refusing rule permit, a button that overrides rules.
 */
export function RefusedStatusChanges({ change }: { readonly change: StatusChange }) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const mayOverride = useHasRole(desk)
  const { refused, dismiss } = change
  const [openedId, setOpenedId] = useState('')
  const opened = refused.find(({ reservation }) => reservation.id === openedId)
  if (refused.length === 0) return null
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle />}
      title={refusalTitle(refused, t)}
      role="alert"
      withCloseButton
      closeButtonLabel={t('common.close')}
      onClose={dismiss}
    >
      <List size="sm" spacing="xs">
        {refused.map((one) => (
          <List.Item key={one.reservation.id}>
            <Text size="sm" fw={500}>
              {one.reservation.customer.name || one.reservation.customer.id}, {dateTime(one.reservation.start)}
            </Text>
            <ErrorMessage error={one.error} />
            {mayOverride && isRuleViolation(one) && (
              <Button size="compact-sm" variant="default" mt={4} onClick={() => setOpenedId(one.reservation.id)}>
                {t(
                  one.reservation.status === 'cancelled' ? 'reservations.restoreAnyway' : 'reservations.confirmAnyway',
                )}
              </Button>
            )}
          </List.Item>
        ))}
      </List>
      {opened && <StatusOverrideDialog refused={opened} change={change} close={() => setOpenedId('')} />}
    </Alert>
  )
}
