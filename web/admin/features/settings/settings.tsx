import { Select } from '@mantine/core'
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import { settingsPages } from '../../app/shell/navigation-items.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { useUser } from '../../data/session.ts'
import styles from './settings.module.css'

/** The layout of the settings: links to their pages, or a select on a phone, and the current page. */
export default function Settings() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const { role } = useUser()
  const pages = settingsPages.filter((place) => admits(place.roles, role))
  return (
    <div className={styles.layout}>
      {pages.length > 0 && (
        <nav aria-label={t('places.settings')} className={styles.pages}>
          <Select
            hiddenFrom="sm"
            w="100%"
            aria-label={t('places.settings')}
            data={pages.map(({ to, labelKey }) => ({ value: to, label: t(`places.${labelKey}`) }))}
            value={pathname}
            onChange={(to) => to && void navigate({ to })}
            allowDeselect={false}
          />
          {pages.map(({ to, labelKey }) => (
            <PanelLink
              key={to}
              to={to}
              className={styles.page ?? ''}
              aria-current={to === pathname ? 'page' : undefined}
            >
              {t(`places.${labelKey}`)}
            </PanelLink>
          ))}
        </nav>
      )}
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}
