import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, type Ref, useEffect } from 'react'
import type { Address } from '../data/address.ts'

interface PanelLinkProps {
  /** A path of the panel, such as `/settings/team`. */
  readonly to: string
  /** What stands behind the `?` there. */
  readonly search?: Address
  readonly className?: string
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLAnchorElement>
  /** It leads to the page that is open. */
  readonly 'aria-current'?: 'page' | undefined
}

/** A link to another page of the panel, with plain types for components that take on another's. */
export function PanelLink({ to, search, ref = null, ...rest }: PanelLinkProps) {
  return <Link to={to} {...(search && { search })} ref={ref} activeOptions={{ exact: true }} {...rest} />
}

interface LeadOnProps {
  /** A path of the panel, with what follows it in the address. */
  readonly href: string
}

/**
 * Leads to another page of the panel, which takes this one's place in the browser's history. It leads there once,
 * however often what it stands in is drawn while the other page is on its way.
 */
export function LeadOn({ href }: LeadOnProps) {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the address changes before the page does
  useEffect(() => {
    void navigate({ to: '.', href, replace: true })
  }, [])
  return null
}
