import { useQuery } from '@tanstack/react-query'
import type { UserRole } from '../../../src/access/users/user.ts'
import { type Item, request } from './ask.ts'
import { queryClient, readAgain, sessionEnded } from './queries.ts'

/** The site, whether it is set up, and who is signed in. */
export type PanelSession = Item<'GET /session/'>

/** Who is signed in, as the service says it. */
export type SignedInUser = NonNullable<PanelSession['person']>

/** Who has just signed in. */
export type SignInEntry = Item<'POST /session/passkey/sign-in/'>['person']

const queryKey = ['GET /session/', {}]

/** Reads the session; one that ended while the panel is open stays on screen, with the sign-in dialog over it. */
export function useSessionRead() {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const told = await request('GET /session/', {}, signal)
      const before = queryClient.getQueryData<PanelSession>(queryKey)
      if (!before?.person || told.person) return told
      sessionEnded.set(true)
      return before
    },
  })
}

/** The session; undefined until it was read. */
export function useSession(): PanelSession | undefined {
  return useSessionRead().data
}

/** Who is signed in; only for what is drawn inside the shell, where somebody is. */
export function useUser(): SignedInUser {
  const person = useSession()?.person
  if (!person) throw new Error('This part of the panel is drawn for someone who is signed in.')
  return person
}

/** Whether someone of this role is let in where `roles` are. */
export function admits(roles: readonly UserRole[], role: UserRole): boolean {
  return roles.includes(role)
}

/** Signing in succeeded, and the browser did not keep the cookie: it drops a `Secure` one that comes over plain http. */
export class SessionNotKept extends Error {}

/** Takes over a session that was just begun: nothing that was read before counts. */
export async function beginSession(): Promise<void> {
  const { person } = await request('GET /session/', {})
  if (!person) throw new SessionNotKept()
  sessionEnded.set(false)
  await readAgain(['GET /session/'])
  void queryClient.invalidateQueries({ predicate: (query) => query.queryKey[0] !== queryKey[0] })
}

/** Ends the session here and on the server; all that was read is forgotten with the page. */
export async function endSession(): Promise<void> {
  await request('POST /session/sign-out/', {})
  location.assign('/admin/sign-in')
}
