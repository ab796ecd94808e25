import { leading } from '../../../../src/access/users/role-groups.ts'
import { Redirect } from '../../components/panel-link.tsx'
import { LoadingState } from '../../components/states.tsx'
import { useRead } from '../../data/queries.ts'
import { useMay, useUser } from '../../data/session.ts'

/**
 * Redirects to the page where the user's day is: a provider's calendar, the page Today, or the first steps while
 * nothing can be booked.
 */
export default function Home() {
  const { role } = useUser()
  const leads = useMay(leading)
  if (leads) return <HomeOfLeading />
  return <Redirect href={role === 'provider' ? '/calendar' : '/today'} />
}

function HomeOfLeading() {
  const services = useRead('GET /services/', { per_page: 5 })
  const providers = useRead('GET /providers/', { per_page: 5 })
  const reads = [services, providers]
  // The page Today shows an error when the service does not respond, so the redirect leads there.
  if (reads.some(({ error, data }) => error && !data)) return <Redirect href="/today" />
  if (!services.data || !providers.data) return <LoadingState />
  const canBook = services.data.total > 0 && providers.data.total > 0
  return <Redirect href={canBook ? '/today' : '/start'} />
}
