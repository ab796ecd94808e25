import { NavLink, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { admits } from '../../../../src/access/users/role-groups.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { useRead } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'
import { type NavigationItem, navigationItems } from './navigation-items.ts'
import styles from './shell.module.css'

const maxBottomItems = 4

/** The navigation entries of the user's role, as a vertical list. */
export function Navigation() {
  const { t } = useTranslation()
  const isHere = useIsActive()
  return (
    <nav aria-label={t('shell.navigation')} className={styles.navigation}>
      {useNavigationItems().map((place) => (
        <NavLink
          key={place.to}
          component={PanelLink}
          to={place.to}
          label={t(`places.${place.labelKey}`)}
          leftSection={<place.icon size={19} stroke={1.5} />}
          rightSection={place.to === '/today' && <ConflictCount />}
          active={isHere(place)}
          aria-current={isHere(place) ? 'page' : undefined}
        />
      ))}
    </nav>
  )
}

interface BottomNavigationProps {
  /** Opens or closes the full navigation; called by the last button of the bar at the bottom of a phone screen. */
  readonly more: () => void
  readonly opened: boolean
}

/**
 * A bar at the bottom of a phone screen: the first four navigation entries of the role, and a button that opens the
 * full navigation.
 */
export function BottomNavigation({ more, opened }: BottomNavigationProps) {
  const { t } = useTranslation()
  const isHere = useIsActive()
  return (
    <nav aria-label={t('shell.mainPlaces')} className={styles.foot}>
      {useNavigationItems()
        .slice(0, maxBottomItems)
        .map((place) => (
          <PanelLink key={place.to} to={place.to} aria-current={isHere(place) ? 'page' : undefined}>
            <place.icon size={21} stroke={1.5} />
            <span>{t(`places.${place.labelKey}`)}</span>
            {place.to === '/today' && <ConflictCount />}
          </PanelLink>
        ))}
      <UnstyledButton onClick={more} aria-expanded={opened}>
        <IconMenu2 size={21} stroke={1.5} />
        <span>{t('shell.more')}</span>
      </UnstyledButton>
    </nav>
  )
}

/**
 * Shows the number of conflicts: upcoming reservations that break at least one rule, not counting rules that staff
 * overrode in the booking or whose violation they accepted later. Renders nothing when there are none.
 */
function ConflictCount() {
  const { t } = useTranslation()
  const { data } = useRead('GET /conflicts/', {})
  if (!data || data.total === 0) return null
  return (
    <>
      <span className={styles.count} aria-hidden>
        {data.total}
      </span>
      <VisuallyHidden>{t('conflicts.count', { count: data.total })}</VisuallyHidden>
    </>
  )
}

function useNavigationItems(): readonly NavigationItem[] {
  const { role } = useUser()
  return navigationItems.filter((place) => admits(place.roles, role))
}

function useIsActive(): (place: NavigationItem) => boolean {
  const { pathname } = useLocation()
  return ({ to }) => pathname === to || pathname.startsWith(`${to}/`)
}
