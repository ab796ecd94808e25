import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../src/access/users/role-groups.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { useHasRole } from '../../data/session.ts'

/** A button that opens the dialog for a new booking; renders nothing for roles that may not book. */
export function BookButton() {
  const { t } = useTranslation()
  if (!useHasRole(staff)) return null
  return (
    <Button component={PanelLink} to="/calendar" search={{ book: '1' }} leftSection={<IconCalendarPlus size={16} />}>
      {t('calendar.book')}
    </Button>
  )
}
