import { ActionIcon, Group, Menu } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconPrinter, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../src/access/users/role-groups.ts'
import { useHasRole } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import type { CalendarView } from './calendar-view.ts'
import { zooms } from './grid/scale.ts'
import { calendarPreferences, changePreferences } from './preferences.ts'

/** Buttons that zoom the calendar, and the menu of its display options. */
export function CalendarOptions({ view }: { readonly view: CalendarView }) {
  const { t } = useTranslation()
  const { zoom, closed, colour, drag } = useStore(calendarPreferences)
  const changes = useHasRole(staff)
  const days = view.name !== 'month'
  return (
    <Group gap={4} wrap="nowrap">
      {days && (
        <>
          <ActionIcon
            size={36}
            aria-label={t('calendarView.zoomOut')}
            title={t('calendarView.zoomOut')}
            disabled={zoom === 0}
            onClick={() => changePreferences({ zoom: zoom - 1 })}
          >
            <IconZoomOut size={18} />
          </ActionIcon>
          <ActionIcon
            size={36}
            aria-label={t('calendarView.zoomIn')}
            title={t('calendarView.zoomIn')}
            disabled={zoom === zooms.length - 1}
            onClick={() => changePreferences({ zoom: zoom + 1 })}
          >
            <IconZoomIn size={18} />
          </ActionIcon>
        </>
      )}
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <ActionIcon size={36} aria-label={t('calendarView.options')} title={t('calendarView.options')}>
            <IconAdjustmentsHorizontal size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {days && (
            <>
              <Menu.CheckboxItem
                checked={view.cancelled}
                onChange={(checked) => view.change({ cancelled: checked ? '1' : '' })}
              >
                {t('calendar.cancelled')}
              </Menu.CheckboxItem>
              <Menu.CheckboxItem checked={closed} onChange={(checked) => changePreferences({ closed: checked })}>
                {t('calendarView.closedHours')}
              </Menu.CheckboxItem>
            </>
          )}
          <Menu.Label>{t('calendarView.colours')}</Menu.Label>
          <Menu.RadioGroup
            value={colour}
            onChange={(chosen) => changePreferences({ colour: chosen === 'provider' ? 'provider' : 'service' })}
          >
            {(['service', 'provider'] as const).map((one) => (
              <Menu.RadioItem key={one} value={one}>
                {t(`calendarView.colourBy.${one}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          {days && changes && (
            <>
              <Menu.Label>{t('calendarView.dragging')}</Menu.Label>
              <Menu.RadioGroup
                value={drag}
                onChange={(chosen) => changePreferences({ drag: chosen === 'time_off' ? 'time_off' : 'book' })}
              >
                {(['book', 'time_off'] as const).map((one) => (
                  <Menu.RadioItem key={one} value={one}>
                    {t(`calendarView.dragTo.${one}`)}
                  </Menu.RadioItem>
                ))}
              </Menu.RadioGroup>
            </>
          )}
          <Menu.Divider />
          <Menu.Item closeMenuOnClick leftSection={<IconPrinter size={16} />} onClick={() => print()}>
            {t('calendarView.print')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
