import { leading } from '../../../../src/access/users/role-groups.ts'
import { Redirect } from '../../components/panel-link.tsx'
import { LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import { useHasRole, useUser } from '../../data/session.ts'

/**
 * Redirects to the user's first page: the calendar for providers, the start page for administrators and managers
 * while the site lacks a service or a provider, and the page Today otherwise.
 */
export default function Home() {
  const { role } = useUser()
  const leads = useHasRole(leading)
  if (leads) return <ManagerHome />
  return <Redirect href={role === 'provider' ? '/calendar' : '/today'} />
}

function ManagerHome() {
  const services = useRead('GET /services/', { per_page: 5 })
  const providers = useRead('GET /providers/', { per_page: 5 })
  const reads = [services, providers]
  // When the service does not respond, the redirect leads to the page Today, which shows the error.
  if (reads.some(({ error, data }) => error && !data)) return <Redirect href="/today" />
  if (!services.data || !providers.data) return <LoadingState />
  const canBook = services.data.total > 0 && providers.data.total > 0
  return <Redirect href={canBook ? '/today' : '/start'} />
}
