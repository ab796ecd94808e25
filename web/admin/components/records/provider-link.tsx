import { Anchor } from '@mantine/core'
import { admits, useUser } from '../../data/session.ts'
import { PanelLink } from '../panel-link.tsx'

interface ProviderLinkProps {
  readonly id: number
  readonly name: string
  /** It stands alone and not within a sentence, where a link is told from words by its line. */
  readonly alone?: boolean
}

/** A provider's name, which leads there for those who keep providers. */
export function ProviderLink({ id, name, alone = false }: ProviderLinkProps) {
  const { role } = useUser()
  if (!admits(['admin', 'manager'], role)) return name
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
