import { Alert, Button, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { desk } from '../../../../src/access/users/role-groups.ts'
import { Trouble } from '../../components/states.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { useMay } from '../../data/session.ts'
import { refusalTitle, type StatusChange } from './status-change.ts'
import { isAgainstRules, StatusOverrideDialog } from './status-override.tsx'

/** The reservations whose status change was refused, each with its message; rules can be overridden with a reason. */
export function Refusals({ change }: { readonly change: StatusChange }) {
  const { t } = useTranslation()
  const { dateTime } = useFormats()
  const mayOverride = useMay(desk)
  const { refused, forget } = change
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
      onClose={forget}
    >
      <List size="sm" spacing="xs">
        {refused.map((one) => (
          <List.Item key={one.reservation.id}>
            <Text size="sm" fw={500}>
              {one.reservation.customer.name || one.reservation.customer.id}, {dateTime(one.reservation.start)}
            </Text>
            <Trouble error={one.error} />
            {mayOverride && isAgainstRules(one) && (
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
