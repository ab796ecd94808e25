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
import { loadRepeatedly } from '../data/load-repeatedly.ts'
import { parseQueryParameters, type QueryParameters, stringifyQueryParameters } from '../data/query-parameters.ts'
import { useUser } from '../data/session.ts'
import { withDeferredTexts } from '../i18n/index.ts'
import { NotAllowed } from './not-allowed.tsx'
import Unknown from './not-found.tsx'
import { navigationItems, settingsPages } from './shell/navigation-items.ts'
import { Shell } from './shell/shell.tsx'

type LoadScreen = () => Promise<{ readonly default: () => ReactNode }>

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: Readonly<Record<string, unknown>>): QueryParameters =>
    Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)])),
})

const shellRoute = createRoute({ getParentRoute: () => root, id: 'inside', component: Shell })
const settings = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyRouteComponent(() => loadRepeatedly(() => import('../features/settings/settings.tsx'))),
})
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: () => <Redirect href="/settings/site" />,
})
const notFound = createRoute({ getParentRoute: () => shellRoute, path: '$', component: Unknown })

// Each screen is a separate bundle. The bundle is loaded when a link to the screen first gets the pointer or the focus,
// or when the screen is first opened. All routes share one type: inferring a type for each path takes the compiler a
// minute.
const signedOutScreen = (path: string, load: LoadScreen): AnyRoute =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(() => loadRepeatedly(load)) })
const screen = (path: string, load: LoadScreen): AnyRoute =>
  createRoute({ getParentRoute: () => shellRoute, path, component: withRoleCheck(path, load) })
/**
 * Creates the route of a screen that uses deferred translations: the first such screen loads them, not the start of the
 * panel.
 */
const deferredScreen = (path: string, load: LoadScreen): AnyRoute => screen(path, withDeferredTexts(load))
const setting = (path: string, load: LoadScreen): AnyRoute =>
  createRoute({
    getParentRoute: () => settings,
    path,
    component: withRoleCheck(`/settings${path}`, withDeferredTexts(load)),
  })

/**
 * Redirects the path of a former settings page to a tab (`view`) of the page that replaced it. The query parameters
 * are passed on.
 */
const redirectRoute = (path: string, to: string, view: string): AnyRoute =>
  createRoute({
    getParentRoute: () => settings,
    path,
    component: function RedirectToTab() {
      const search = useLocation({ select: ({ search }): QueryParameters => search })
      return <Redirect href={`${to}${stringifyQueryParameters({ view, ...search })}`} />
    },
  })

const roles = new Map([...navigationItems, ...settingsPages].map((place) => [place.to, place.roles]))

/**
 * Renders the screen only for the roles that its entry in the navigation or the settings lists. A path without an entry
 * has the roles of its parent path; when neither has an entry, the screen is open to every role. Other roles see a page
 * that says that they may not open the screen. The service also checks the role at each request.
 */
function withRoleCheck(path: string, load: LoadScreen): () => ReactNode {
  const Screen = lazyRouteComponent(() => loadRepeatedly(load))
  // A path without an entry, such as `/calendar/absence`, has the roles of its parent path.
  const admitted = roles.get(path) ?? roles.get(path.replace(/\/[^/]+$/, ''))
  const Guarded = (): ReactNode => {
    const { role } = useUser()
    return !admitted || admits(admitted, role) ? <Screen /> : <NotAllowed />
  }
  return Object.assign(Guarded, { preload: Screen.preload })
}

const routes = root.addChildren([
  signedOutScreen('/sign-in', () => import('../features/access/sign-in/sign-in.tsx')),
  signedOutScreen('/forgot-password', () => import('../features/access/sign-in/forgot-password.tsx')),
  signedOutScreen('/set-password', () => import('../features/access/sign-in/set-password.tsx')),
  signedOutScreen('/set-up', () => import('../features/access/sign-in/set-up.tsx')),
  shellRoute.addChildren([
    screen('/', () => import('../features/first-run/home.tsx')),
    screen('/start', () => import('../features/first-run/start.tsx')),
    screen('/today', () => import('../features/reports/today.tsx')),
    deferredScreen('/calendar', () => import('../features/calendar/calendar.tsx')),
    deferredScreen('/calendar/absence', () => import('../features/absence/absence.tsx')),
    screen('/reservations', () => import('../features/reservations/reservations.tsx')),
    deferredScreen('/customers', () => import('../features/customers/customers.tsx')),
    deferredScreen('/customers/import', () => import('../features/customers/import/customer-import.tsx')),
    deferredScreen('/services', () => import('../features/services/services.tsx')),
    deferredScreen('/first-run', () => import('../features/first-run/first-run.tsx')),
    deferredScreen('/providers', () => import('../features/providers/providers.tsx')),
    deferredScreen('/hours', () => import('../features/providers/own-hours.tsx')),
    deferredScreen('/calendar-connected', () => import('../features/providers/calendars/calendar-connected.tsx')),
    deferredScreen('/services/fairness', () => import('../features/reports/fairness.tsx')),
    deferredScreen('/payments', () => import('../features/payments/payment-list.tsx')),
    deferredScreen('/vouchers', () => import('../features/payments/vouchers.tsx')),
    deferredScreen('/reports', () => import('../features/reports/reports.tsx')),
    deferredScreen('/why', () => import('../features/availability/explain.tsx')),
    screen('/profile', () => import('../features/access/profile/profile.tsx')),
    settings.addChildren([
      settingsStart,
      setting('/site', () => import('../features/settings/site.tsx')),
      setting('/policies', () => import('../features/settings/policies.tsx')),
      setting('/booking-page', () => import('../features/booking-page/booking-page.tsx')),
      setting('/notifications', () => import('../features/notifications/notifications.tsx')),
      setting('/team', () => import('../features/access/users/team.tsx')),
      setting('/api', () => import('../features/webhooks/api.tsx')),
      redirectRoute('/tokens', '/settings/api', 'tokens'),
      redirectRoute('/webhooks', '/settings/api', 'webhooks'),
      setting('/history', () => import('../features/history/history.tsx')),
      setting('/payments', () => import('../features/payments/payment-settings.tsx')),
      setting('/system', () => import('../features/settings/system.tsx')),
      setting('/jobs', () => import('../features/settings/jobs.tsx')),
      setting('/site-file', () => import('../features/settings/site-file.tsx')),
    ]),
    notFound,
  ]),
])

/** The router of the panel, with all of its routes. An error in one screen leaves the rest of the panel usable. */
export const router = createRouter({
  routeTree: routes,
  basepath: '/admin',
  parseSearch: parseQueryParameters,
  stringifySearch: stringifyQueryParameters,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingState,
  defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} retry={reset} />,
  defaultNotFoundComponent: Unknown,
})
