import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { QueryParameters } from '../../data/query-parameters.ts'
import { PanelLink } from '../panel-link.tsx'

interface ActionsMenuProps {
  /** The accessible name of the menu button. */
  readonly label: string
  /** The size of the menu button, to match the adjacent controls. */
  readonly size?: 'md' | 'lg'
  readonly loading?: boolean
  readonly children: ReactNode
}

/** A menu of actions on one item, opened by a button with three dots. */
export function ActionsMenu({ label, size = 'md', loading = false, children }: ActionsMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={label} size={size} loading={loading}>
          <IconDotsVertical size={18} stroke={1.5} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

interface LinkItemProps {
  readonly icon: ReactNode
  /** A path of the panel; `search` contains its query parameters. */
  readonly to: string
  readonly search: QueryParameters
  readonly children: ReactNode
}

/** A menu item that navigates to another page of the panel. */
export function LinkItem({ icon, to, search, children }: LinkItemProps) {
  return (
    <Menu.Item leftSection={icon} component={PanelLink} to={to} search={search}>
      {children}
    </Menu.Item>
  )
}

/** The red menu item "Remove", which stands last in its menu. */
export function RemoveItem({ remove }: { readonly remove: () => void }) {
  const { t } = useTranslation()
  // Mantine's colour `red` has the same shade in the light and the dark colour scheme. The variable
  // `--mantine-color-red-text` has a shade for each scheme, with sufficient contrast.
  return (
    <Menu.Item leftSection={<IconTrash size={16} />} color="var(--mantine-color-red-text)" onClick={remove}>
      {t('common.remove')}
    </Menu.Item>
  )
}
