import { Menu } from '@mantine/core'
import { IconCalendarOff, IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../../../data/dates/formats.ts'
import type { Pointer, Target } from './drag.ts'

/** A free time whose context menu is open. */
export interface EmptyTime extends Pick<Target, 'providerId' | 'start'> {
  readonly pointer: Pointer
}

interface EmptyMenuProps {
  readonly at: EmptyTime
  readonly close: () => void
  readonly book: (target: Pick<Target, 'providerId' | 'start'>) => void
  readonly timeOff: (target: Target) => void
}

/** The context menu of free time. */
export function EmptyMenu({ at: { pointer, providerId, start }, close, book, timeOff }: EmptyMenuProps) {
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
