import { ActionIcon, Menu, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Weekday, weekdays } from '../../../../../src/catalogue/providers/provider.ts'
import { useWeekdays } from '../../../data/dates/weekdays.ts'
import styles from './week-grid.module.css'
import { WeekGrid } from './week-grid.tsx'
import { copyDay, type WeekValues } from './week-values.ts'
import { WindowFields } from './window-fields.tsx'

interface WeekFieldsProps {
  readonly week: WeekValues
  readonly onChange: (week: WeekValues) => void
  /**
   * Returns the error of an opening window, given by weekday and index, such as `mon.0`; undefined for a valid window.
   */
  readonly errorOf: (name: string) => ReactNode
  /** Whether only the fields are shown, without the grid of bars, for narrow dialogs. */
  readonly bare?: boolean
}

/** Edits weekly opening hours: as fields for each day, and in a grid of bars, which the user draws and drags. */
export function WeekFields({ week, onChange, errorOf, bare = false }: WeekFieldsProps) {
  const names = useWeekdays()
  return (
    <div className={styles.container}>
      <div className={bare ? undefined : styles.editor}>
        <Stack gap={0}>
          {weekdays.map((day) => (
            <fieldset key={day} className={styles.day}>
              <Text component="legend" size="sm" fw={500} lh="30px">
                {names(day, 'long')}
              </Text>
              <WindowFields
                label={names(day, 'long')}
                windows={week[day]}
                onChange={(windows) => onChange({ ...week, [day]: windows })}
                errorOf={(at) => errorOf(`${day}.${at}`)}
                more={<CopyMenu day={day} week={week} onChange={onChange} />}
              />
            </fieldset>
          ))}
        </Stack>
        {!bare && <WeekGrid week={week} onChange={onChange} />}
      </div>
    </div>
  )
}

const workdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri']

function CopyMenu({ day, week, onChange }: Omit<WeekFieldsProps, 'errorOf'> & { readonly day: Weekday }) {
  const { t } = useTranslation()
  const names = useWeekdays()
  const name = names(day, 'long')
  const copy = (to: readonly Weekday[]): void => onChange(copyDay(week, day, to))
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('providers.copyDay', { day: name })}>
          <IconCopy size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => copy(workdays)}>{t('providers.copyWorkdays')}</Menu.Item>
        <Menu.Item onClick={() => copy(weekdays)}>{t('providers.copyEvery')}</Menu.Item>
        <Menu.Divider />
        {weekdays
          .filter((other) => other !== day)
          .map((other) => (
            <Menu.Item key={other} onClick={() => copy([other])}>
              {t('providers.copyTo', { day: names(other, 'long') })}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}
