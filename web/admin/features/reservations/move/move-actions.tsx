import { Button, Menu } from '@mantine/core'
import { IconBan, IconCalendarTime } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../../src/access/users/role-groups.ts'
import { ActionsMenu } from '../../../components/dialogs/actions-menu.tsx'
import { useMay } from '../../../data/session.ts'
import type { Changeable, StatusChange } from '../status-change.ts'
import { MoveDialog, MoveRefused } from './move-dialog.tsx'
import { useMove } from './use-move.ts'

interface MovingOf {
  readonly reservation: Changeable
}

interface MoveButtonProps extends MovingOf {
  readonly compact?: boolean
}

/** A button that moves a reservation to another time or provider. */
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
      <Moving reservation={reservation} opened={opened} close={() => setOpened(false)} />
    </>
  )
}

interface ReservationMenuProps extends MovingOf {
  readonly change: StatusChange
}

/** A menu that moves or cancels a reservation; nothing for roles that may not, or a cancelled reservation. */
export function ReservationMenu({ reservation, change }: ReservationMenuProps) {
  const { t } = useTranslation()
  const may = useMay(staff)
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
      <Moving reservation={reservation} opened={opened} close={() => setOpened(false)} />
    </>
  )
}

interface MovingProps extends MovingOf {
  readonly opened: boolean
  readonly close: () => void
}

/** The dialog that moves a reservation, and the one that explains a refused move. */
function Moving({ reservation, opened, close }: MovingProps) {
  const move = useMove()
  const { id, customer, service, provider, start, end } = reservation
  const movable = { id, customer: customer.name, serviceId: service.id, providerId: provider.id, start, end }
  return (
    <>
      {opened && <MoveDialog reservation={movable} close={close} move={(to) => void move.drop(movable, to)} />}
      {move.refused && <MoveRefused refused={move.refused} move={move} service={service.name} />}
    </>
  )
}
