import { Anchor } from '@mantine/core'
import { admits, leading } from '../../../../src/access/users/role-groups.ts'
import { useUser } from '../../data/session.ts'
import { PanelLink } from '../panel-link.tsx'

interface ProviderLinkProps {
  readonly id: number
  readonly name: string
  /** Whether the link stands outside of a sentence, where it needs no underline. */
  readonly alone?: boolean
}

/** A provider's name, linked to the provider for roles that may edit providers. */
export function ProviderLink({ id, name, alone = false }: ProviderLinkProps) {
  const { role } = useUser()
  if (!admits(leading, role)) return name
  return (
    <Anchor
      component={PanelLink}
      to="/providers"
      search={{ open: String(id) }}
      underline={alone ? 'hover' : 'always'}
      inherit
    >
      {name}
    </Anchor>
  )
}
