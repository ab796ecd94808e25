import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, type Ref, useEffect } from 'react'
import type { QueryParameters } from '../data/query-parameters.ts'

interface PanelLinkProps {
  /** A path of the panel, such as `/settings/team`. */
  readonly to: string
  /** The query parameters of the target. */
  readonly search?: QueryParameters
  /**
   * Whether the target takes over what was entered in the form around the link, so that the user is not asked whether
   * to discard it.
   */
  readonly takesOver?: boolean
  readonly className?: string
  readonly children?: ReactNode
  /** Called when the link is followed. */
  readonly onClick?: () => void
  readonly ref?: Ref<HTMLAnchorElement>
  /** Set when the link points to the current page. */
  readonly 'aria-current'?: 'page' | undefined
}

/**
 * A link to another page of the panel. A Mantine component accepts this link as its `component`, because the link's
 * properties have fixed types; those of the router's `Link` are generic.
 */
export function PanelLink({ to, search, takesOver = false, ref = null, ...rest }: PanelLinkProps) {
  const target = { to, ...(search && { search }), ignoreBlocker: takesOver }
  return <Link {...target} ref={ref} activeOptions={{ exact: true }} {...rest} />
}

interface RedirectProps {
  /** A path of the panel, with its query string. */
  readonly href: string
}

/**
 * Redirects to another page of the panel and replaces the history entry. Navigates once, however often its parent is
 * rendered before the other page has loaded.
 */
export function Redirect({ href }: RedirectProps) {
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; the address changes before the page does
  useEffect(() => {
    void navigate({ to: '.', href, replace: true })
  }, [])
  return null
}
