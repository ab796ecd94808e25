import { useQuery } from '@tanstack/react-query'
import { admits } from '../../../src/access/users/role-groups.ts'
import type { UserRole } from '../../../src/access/users/user.ts'
import { queryClient, refetch, sessionEnded } from './queries.ts'
import { type Item, request } from './request.ts'

/** The response of `GET /session/`: the site, its set-up state, and the signed-in user. */
export type PanelSession = Item<'GET /session/'>

/** The signed-in user, as the session contains them. */
export type SignedInUser = NonNullable<PanelSession['user']>

/** The user that a successful sign-in returns. */
export type SignInEntry = Item<'POST /session/passkey/sign-in/'>['user']

const queryKey = ['GET /session/', {}]

/**
 * Queries the session. When the session ends while the panel is open, the cache retains the last response with a user,
 * and the sign-in dialog opens.
 */
export function useSessionRead() {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const session = await request('GET /session/', {}, signal)
      const before = queryClient.getQueryData<PanelSession>(queryKey)
      if (!before?.user || session.user) return session
      sessionEnded.set(true)
      return before
    },
  })
}

/** Returns the session; undefined until it has loaded. */
export function useSession(): PanelSession | undefined {
  return useSessionRead().data
}

/** Returns the signed-in user. Throws outside of `Shell`, the layout of the pages for signed-in users. */
export function useUser(): SignedInUser {
  const user = useSession()?.user
  if (!user) throw new Error('This part of the panel is drawn for someone who is signed in.')
  return user
}

/** Whether the signed-in user has one of these roles. */
export function useHasRole(roles: readonly UserRole[]): boolean {
  return admits(roles, useUser().role)
}

/**
 * Thrown when the sign-in succeeded but the browser rejected the session cookie. Except over plain HTTP on
 * loopback, the cookie is `Secure`, so browsers accept it over HTTPS only.
 */
export class CookieRejectedError extends Error {}

/**
 * Loads the session after a sign-in, and marks all earlier responses as stale, so that they are refetched. Throws
 * `CookieRejectedError` if the browser rejected the session cookie.
 */
export async function beginSession(): Promise<void> {
  const { user } = await request('GET /session/', {})
  if (!user) throw new CookieRejectedError()
  sessionEnded.set(false)
  await refetch(['GET /session/'])
  void queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
}

/** Signs out on the server and loads the sign-in page anew, which clears all cached data. */
export async function endSession(): Promise<void> {
  await request('POST /session/sign-out/', {})
  location.assign('/admin/sign-in')
}
