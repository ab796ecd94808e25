import { Button, Menu } from '@mantine/core'
import { IconBan, IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../../src/access/users/role-groups.ts'
import { ActionsMenu } from '../../../components/dialogs/actions-menu.tsx'
import { useHasRole } from '../../../data/session.ts'
import type { StatusChange, StatusReservation } from '../status-change.ts'
import { MoveDialog, MoveRefused } from './move-dialog.tsx'
import { useMove } from './use-move.ts'

interface MoveProps {
  readonly reservation: StatusReservation
}

interface MoveButtonProps extends MoveProps {
  readonly compact?: boolean
}

/** A button that opens the dialog for moving a reservation; renders nothing when the service was removed. */
export function MoveButton({ reservation, compact = false }: MoveButtonProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  return (
    <>
      {reservation.service.name !== '' && (
        <Button
          variant="default"
          {...(compact
            ? { size: 'compact-sm', 'aria-label': `${t('calendar.move')}: ${reservation.customer.name}` }
            : { leftSection: <IconCalendarTime size={16} /> })}
          onClick={() => setOpened(true)}
        >
          {t('calendar.move')}
        </Button>
      )}
      <MoveDialogs reservation={reservation} opened={opened} close={() => setOpened(false)} />
    </>
  )
}

interface ReservationMenuProps extends MoveProps {
  readonly change: StatusChange
}

/**
 * A menu that moves or cancels a reservation; renders nothing if the user's role may do neither or if the
 * reservation is cancelled.
 */
export function ReservationMenu({ reservation, change }: ReservationMenuProps) {
  const { t } = useTranslation()
  const may = useHasRole(staff)
  const [opened, setOpened] = useState(false)
  const { customer, service, status } = reservation
  if (!may || status === 'cancelled') return null
  return (
    <>
      <ActionsMenu label={`${t('common.actions')}: ${customer.name || t('reservations.removed')}`}>
        {service.name !== '' && (
          <Menu.Item leftSection={<IconCalendarTime size={16} />} onClick={() => setOpened(true)}>
            {t('calendar.move')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconBan size={16} />}
          disabled={change.progress !== undefined}
          onClick={() => void change.set([reservation], 'cancelled')}
        >
          {t('reservations.cancel')}
        </Menu.Item>
      </ActionsMenu>
      <MoveDialogs reservation={reservation} opened={opened} close={() => setOpened(false)} />
    </>
  )
}

interface MoveDialogsProps extends MoveProps {
  readonly opened: boolean
  readonly close: () => void
}

/** The dialog for moving a reservation, and the dialog that explains a refused move. */
function MoveDialogs({ reservation, opened, close }: MoveDialogsProps) {
  const move = useMove()
  const { id, customer, service, provider, start, end, status } = reservation
  const movable = { id, customer: customer.name, serviceId: service.id, providerId: provider.id, start, end, status }
  return (
    <>
      {opened && <MoveDialog reservation={movable} close={close} move={(seen, to) => void move.drop(seen, to)} />}
      {move.refused && <MoveRefused refused={move.refused} move={move} service={service.name} />}
    </>
  )
}
