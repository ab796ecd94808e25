import { Button } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { staff } from '../../../../src/access/users/role-groups.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { useHasRole } from '../../data/session.ts'

interface BookButtonProps {
  /** The id of the customer who is selected in the dialog; no customer is when absent. */
  readonly customerId?: string
}

/** A button that opens the dialog for a new booking; renders nothing for roles that may not book. */
export function BookButton({ customerId }: BookButtonProps) {
  const { t } = useTranslation()
  if (!useHasRole(staff)) return null
  const search = { book: '1', ...(customerId !== undefined && { customer: customerId }) }
  return (
    <Button component={PanelLink} to="/calendar" search={search} leftSection={<IconCalendarPlus size={16} />}>
      {t('calendar.book')}
    </Button>
  )
}
