import { ActionIcon, Menu } from '@mantine/core'
import { IconDotsVertical, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Address } from '../../data/address.ts'
import { PanelLink } from '../panel-link.tsx'

interface ActionsMenuProps {
  /** Whose actions they are, for those who do not see where the dots stand. */
  readonly label: string
  /** As of the controls beside it. */
  readonly size?: 'md' | 'lg'
  readonly loading?: boolean
  readonly children: ReactNode
}

/** What is done with one thing, behind three dots. */
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

interface LeadProps {
  readonly icon: ReactNode
  /** A path of the panel, and what stands behind the `?` there. */
  readonly to: string
  readonly search: Address
  readonly children: ReactNode
}

/** An action that leads to another page of the panel. */
export function LeadItem({ icon, to, search, children }: LeadProps) {
  return (
    <Menu.Item leftSection={icon} component={PanelLink} to={to} search={search}>
      {children}
    </Menu.Item>
  )
}

/** The action that removes, the last of them. */
export function RemoveItem({ remove }: { readonly remove: () => void }) {
  const { t } = useTranslation()
  // As red as can be read: of a colour by its name a menu takes one shade, dark or light.
  return (
    <Menu.Item leftSection={<IconTrash size={16} />} color="var(--mantine-color-red-text)" onClick={remove}>
      {t('common.remove')}
    </Menu.Item>
  )
}
