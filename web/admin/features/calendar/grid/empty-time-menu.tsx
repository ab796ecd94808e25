import { Menu } from '@mantine/core'
import { IconCalendarOff, IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../data/dates/formats.ts'
import type { DropTarget, PointerPosition } from './drag.ts'

/** The empty time whose context menu is open, with the pointer position at which the menu opens. */
export interface EmptyTime extends Pick<DropTarget, 'providerId' | 'start'> {
  readonly pointer: PointerPosition
}

interface EmptyTimeMenuProps {
  readonly at: EmptyTime
  readonly close: () => void
  readonly book: (target: Pick<DropTarget, 'providerId' | 'start'>) => void
  readonly timeOff: (target: DropTarget) => void
}

/** The context menu of empty time: opens the dialog that books an appointment, or that adds one hour of time off. */
export function EmptyTimeMenu({ at: { pointer, providerId, start }, close, book, timeOff }: EmptyTimeMenuProps) {
  const { t } = useTranslation()
  const { time } = useFormats()
  return (
    <Menu opened onClose={close} position="bottom-start" withinPortal returnFocus>
      <Menu.Target>
        <span style={{ position: 'fixed', left: pointer.x, top: pointer.y }} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCalendarPlus size={16} />} onClick={() => book({ providerId, start })}>
          {t('calendarView.bookAt', { time: time(start) })}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCalendarOff size={16} />}
          onClick={() => timeOff({ providerId, start, end: start + 3_600 })}
        >
          {t('calendarView.timeOffAt', { time: time(start) })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
