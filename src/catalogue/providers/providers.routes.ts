import { narrowed, ownProvider, type PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { providerRoutes } from '../../contract/panel/providers.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { checkProvider, searchProviders, showProvider } from './provider-list.operations.ts'

/** Route handlers that list, show, add, change, check and remove providers. */
export function providerHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof providerRoutes, Operations> {
  return {
    'GET /providers/': ({ query: { search, sort }, paging }) => searchProviders(app.db, { search, sort }, paging),
    'GET /providers/one/': ({ query, session }) => showProvider(app.db, query.id, ownProvider(session)),
    'POST /providers/add/': ({ body, perform }) => perform('providers.add', withEmail(body)),
    'POST /providers/edit/': ({ body, perform }) => perform('providers.edit', withEmail(body)),

    'POST /providers/hours/': ({ body, session, perform }) =>
      perform('providers.edit', { ...body, ...narrowed(session) }),

    'POST /providers/service/': ({ body: { id, serviceId, ...settings }, perform }) =>
      perform('providers.edit.service', { providerId: id, serviceId, settings }),

    'POST /providers/offer/': ({ body: { id, ...offer }, perform }) =>
      perform('providers.offer', { providerId: id, ...offer }),

    'POST /providers/check/': ({ body, session, now }) =>
      checkProvider(app.db, { ...body, ofProvider: ownProvider(session), now }),

    'POST /providers/remove/': ({ body, perform }) => perform('providers.remove', body),
  }
}

/** Converts the e-mail address null to the stored form, an empty string; an absent address remains absent. */
function withEmail<Fields extends { readonly email?: string | null }>({ email, ...fields }: Fields) {
  return { ...fields, ...(email !== undefined && { email: email ?? '' }) }
}
