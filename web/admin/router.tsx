import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LeadOn } from './components/panel-link.tsx'
import { ErrorState, LoadingState } from './components/states.tsx'
import { type Address, readAddress, writeAddress } from './data/address.ts'
import { admits, usePerson } from './data/session.ts'
import { NotAllowed } from './screens/not-allowed.tsx'
import Unknown from './screens/unknown.tsx'
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
  component: lazyRouteComponent(() => import('./screens/settings.tsx')),
})
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: () => <LeadOn href="/settings/site" />,
})
const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: Unknown })

// Each screen is loaded when it is first opened.
// Their types are all the same: told apart by path, they take the compiler a minute.
const outside = (path: string, load: Load): AnyRoute =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load) })
const screen = (path: string, load: Load): AnyRoute =>
  createRoute({ getParentRoute: () => inside, path, component: guarded(path, load) })
const setting = (path: string, load: Load): AnyRoute =>
  createRoute({ getParentRoute: () => settings, path, component: guarded(`/settings${path}`, load) })

const roles = new Map([...places, ...settingsPlaces].map((place) => [place.to, place.roles]))

/** The screen, for the roles that its place admits; the service refuses the others by itself. */
function guarded(path: string, load: Load): () => ReactNode {
  const Screen = lazyRouteComponent(load)
  // A page below a place is for whom the place is.
  const admitted = roles.get(path) ?? roles.get(path.replace(/\/[^/]+$/, ''))
  const Guarded = (): ReactNode => {
    const { role } = usePerson()
    return !admitted || admits(admitted, role) ? <Screen /> : <NotAllowed />
  }
  return Object.assign(Guarded, { preload: Screen.preload })
}

const routes = root.addChildren([
  outside('/sign-in', () => import('./screens/sign-in.tsx')),
  outside('/forgot-password', () => import('./screens/forgot-password.tsx')),
  outside('/set-password', () => import('./screens/set-password.tsx')),
  outside('/set-up', () => import('./screens/set-up.tsx')),
  inside.addChildren([
    screen('/', () => import('./screens/start.tsx')),
    screen('/today', () => import('./screens/today.tsx')),
    screen('/calendar', () => import('./screens/calendar.tsx')),
    screen('/reservations', () => import('./screens/reservations.tsx')),
    screen('/customers', () => import('./screens/customers.tsx')),
    screen('/customers/import', () => import('./screens/customer-import.tsx')),
    screen('/services', () => import('./screens/services.tsx')),
    screen('/first-run', () => import('./screens/first-run.tsx')),
    screen('/providers', () => import('./screens/providers.tsx')),
    screen('/hours', () => import('./screens/own-hours.tsx')),
    screen('/services/fairness', () => import('./screens/fairness.tsx')),
    screen('/why', () => import('./screens/why.tsx')),
    screen('/profile', () => import('./screens/profile.tsx')),
    settings.addChildren([
      settingsStart,
      setting('/site', () => import('./screens/site.tsx')),
      setting('/policies', () => import('./screens/policies.tsx')),
      setting('/team', () => import('./screens/team.tsx')),
      setting('/tokens', () => import('./screens/tokens.tsx')),
      setting('/history', () => import('./screens/history.tsx')),
      setting('/system', () => import('./screens/system.tsx')),
      setting('/site-file', () => import('./screens/site-file.tsx')),
    ]),
    unknown,
  ]),
])

/** Every page of the panel by its path; a screen that fails leaves the rest of the panel standing. */
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
