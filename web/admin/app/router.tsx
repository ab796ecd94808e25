import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  useLocation,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { admits } from '../../../src/access/users/role-groups.ts'
import { Redirect } from '../components/panel-link.tsx'
import { ErrorState, LoadingState } from '../components/states.tsx'
import { type Address, readAddress, writeAddress } from '../data/address.ts'
import { useUser } from '../data/session.ts'
import { withLaterWords } from '../i18n/index.ts'
import { NotAllowed } from './not-allowed.tsx'
import Unknown from './not-found.tsx'
import { places, settingsPlaces } from './shell/places.ts'
import { Shell } from './shell/shell.tsx'

type Load = () => Promise<{ readonly default: () => ReactNode }>

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: Readonly<Record<string, unknown>>): Address =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
})

const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Shell })
const settings = createRoute({
  getParentRoute: () => inside,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/settings/settings.tsx')),
})
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: () => <Redirect href="/settings/site" />,
})
const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: Unknown })

// Each screen is a separate bundle, loaded when it is first opened. All routes share one type: inferring a type for
// each
// path takes the compiler a minute.
const outside = (path: string, load: Load): AnyRoute =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })
const screen = (path: string, load: Load): AnyRoute =>
  createRoute({ getParentRoute: () => inside, path, component: guarded(path, load) })
/** A screen whose texts are loaded with it, and not with the panel. */
const later = (path: string, load: Load): AnyRoute => screen(path, withLaterWords(load))
const setting = (path: string, load: Load): AnyRoute =>
  createRoute({ getParentRoute: () => settings, path, component: guarded(`/settings${path}`, withLaterWords(load)) })

/**
 * Redirects the path of a former settings page to a tab of the page that replaced it, and keeps the query parameters.
 */
const moved = (path: string, to: string, view: string): AnyRoute =>
  createRoute({
    getParentRoute: () => settings,
    path,
    component: function Moved() {
      const search = useLocation({ select: ({ search }): Address => search })
      return <Redirect href={`${to}${writeAddress({ view, ...search })}`} />
    },
  })

const roles = new Map([...places, ...settingsPlaces].map((place) => [place.to, place.roles]))

/**
 * Renders the screen only for the roles that its navigation entry lists. The service checks each request regardless.
 */
function guarded(path: string, load: Load): () => ReactNode {
  const Screen = lazyRouteComponent(load)
  // A page below a navigation entry has the roles of that entry.
  const admitted = roles.get(path) ?? roles.get(path.replace(/\/[^/]+$/, ''))
  const Guarded = (): ReactNode => {
    const { role } = useUser()
    return !admitted || admits(admitted, role) ? <Screen /> : <NotAllowed />
  }
  return Object.assign(Guarded, { preload: Screen.preload })
}

const routes = root.addChildren([
  outside('/sign-in', () => import('../features/access/sign-in/sign-in.tsx')),
  outside('/forgot-password', () => import('../features/access/sign-in/forgot-password.tsx')),
  outside('/set-password', () => import('../features/access/sign-in/set-password.tsx')),
  outside('/set-up', () => import('../features/access/sign-in/set-up.tsx')),
  inside.addChildren([
    screen('/', () => import('../features/first-run/home.tsx')),
    screen('/start', () => import('../features/first-run/start.tsx')),
    screen('/today', () => import('../features/reports/today.tsx')),
    later('/calendar', () => import('../features/calendar/calendar.tsx')),
    later('/calendar/absence', () => import('../features/absence/absence.tsx')),
    screen('/reservations', () => import('../features/reservations/reservations.tsx')),
    later('/customers', () => import('../features/customers/customers.tsx')),
    later('/customers/import', () => import('../features/customers/import/customer-import.tsx')),
    later('/services', () => import('../features/services/services.tsx')),
    later('/first-run', () => import('../features/first-run/first-run.tsx')),
    later('/providers', () => import('../features/providers/providers.tsx')),
    later('/hours', () => import('../features/providers/own-hours.tsx')),
    later('/calendar-connected', () => import('../features/providers/calendars/calendar-connected.tsx')),
    later('/services/fairness', () => import('../features/reports/fairness.tsx')),
    later('/payments', () => import('../features/payments/payment-list.tsx')),
    later('/vouchers', () => import('../features/payments/vouchers.tsx')),
    later('/reports', () => import('../features/reports/reports.tsx')),
    later('/why', () => import('../features/availability/explain.tsx')),
    screen('/profile', () => import('../features/access/profile/profile.tsx')),
    settings.addChildren([
      settingsStart,
      setting('/site', () => import('../features/settings/site.tsx')),
      setting('/policies', () => import('../features/settings/policies.tsx')),
      setting('/booking-page', () => import('../features/booking-page/booking-page.tsx')),
      setting('/notifications', () => import('../features/notifications/notifications.tsx')),
      setting('/team', () => import('../features/access/users/team.tsx')),
      setting('/api', () => import('../features/webhooks/api.tsx')),
      moved('/tokens', '/settings/api', 'tokens'),
      moved('/webhooks', '/settings/api', 'webhooks'),
      setting('/history', () => import('../features/history/history.tsx')),
      setting('/payments', () => import('../features/payments/payment-settings.tsx')),
      setting('/system', () => import('../features/settings/system.tsx')),
      setting('/jobs', () => import('../features/settings/jobs.tsx')),
      setting('/site-file', () => import('../features/settings/site-file.tsx')),
    ]),
    unknown,
  ]),
])

/** Every page of the panel by path. An error in one screen leaves the rest of the panel usable. */
export const router = createRouter({
  routeTree: routes,
  basepath: '/admin',
  parseSearch: readAddress,
  stringifySearch: writeAddress,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingState,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
  defaultNotFoundComponent: Unknown,
})
