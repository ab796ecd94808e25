import { explainAvailability } from '../availability/availability.operations.ts'
import type { AvailabilityCache } from '../availability/cache/availability-cache.ts'
import type { AvailabilityQuery } from '../availability/cache/question.ts'
import { shownExplanation } from '../availability/explanation.ts'
import { shownProvider } from '../catalogue/providers/provider.ts'
import { shownService, shownServiceInFull } from '../catalogue/services/service.ts'
import type { PublicApi } from '../contract/public-api.ts'
import { shownCustomer } from '../customers/customer.ts'
import { publicEvent } from '../history/event.ts'
import type { Handlers, ReadyFinder } from '../http/call.ts'
import { invalidParameter } from '../http/request/faults.ts'
import { message } from '../messages/message.ts'
import type { Daybook, Operations } from '../operations.ts'
import {
  type Listed,
  listCustomers,
  listEvents,
  listPublicProviders,
  listPublicServices,
  listReservations,
  siteUrl,
} from '../reservations/list/public-lists.operations.ts'

const eventsAtOnce = 100

/**
 * Returns the handlers of the public API. Each passes the request to one operation or query and returns its result in
 * the format of the contract.
 */
export function publicHandlers({ db }: Daybook, availability: AvailabilityCache): Handlers<PublicApi, Operations> {
  return {
    'GET /auth/verify/': async ({ token }) => ({
      name: token.name,
      scopes: [...token.scopes],
      siteUrl: await siteUrl(db),
    }),

    'GET /availability/get/': (call) => {
      const query = listingOf(call)
      return availability.find(query) ?? availability.list(query)
    },

    'GET /services/get/': async ({ query }) => ({
      all: (await listPublicServices(db)).map(query.full ? shownServiceInFull : shownService),
    }),

    'GET /providers/get/': async () => ({ all: (await listPublicProviders(db)).map(shownProvider) }),

    'GET /customers/get/': async ({ paging }) => listed(await listCustomers(db, paging), shownCustomer),

    'GET /reservations/get/': ({ query, paging, now }) => {
      const filter = {
        ...(query.customers && { customerIds: query.customers }),
        ...(query.services && { serviceIds: query.services }),
        ...(query.providers && { providerIds: query.providers }),
        ...(query.status && { status: query.status }),
        ...(!query.past && { endsAfter: now }),
      }
      return listReservations(db, { filter, full: query.full === true }, paging)
    },

    'POST /reservations/add/': ({ body, perform }) => perform('reservations.add', body),
    'POST /reservations/edit/': ({ body, perform }) => perform('reservations.edit', body).then(() => ({})),
    'POST /reservations/remove/': ({ query, perform }) => perform('reservations.remove', query),

    'POST /customers/add/': ({ body, query, perform }) =>
      perform('customers.add', { ...body, createUser: query.createUser === true }),
    'POST /customers/edit/': ({ body, perform }) => perform('customers.edit', body),
    'POST /customers/remove/': ({ query, perform }) => perform('customers.remove', query),

    'POST /services/add/': ({ body, perform }) => perform('services.add', body),
    'POST /services/edit/': ({ body, perform }) => perform('services.edit', body),
    'POST /services/remove/': ({ query, perform }) => perform('services.remove', query),

    'POST /providers/edit/': ({ body, perform }) => perform('providers.edit', body),
    'POST /providers/edit/service/': ({ body, query, perform }) =>
      perform('providers.edit.service', { ...query, settings: body }),

    'GET /availability/explain/': async ({ query, now }) => {
      const explained = await explainAvailability(db, { ...query, now })
      if ('unknown' in explained) throw invalidParameter(explained.unknown, message('names_nothing'))
      return shownExplanation(explained)
    },

    'GET /events/get/': async ({ query }) => {
      const events = await listEvents(db, { after: query.after, limit: query.limit ?? eventsAtOnce })
      if (!events) throw invalidParameter('after', message('must_be_seq'))
      return events.map(publicEvent)
    },
  }
}

/**
 * Returns a function that answers an availability request from the cache. That function returns undefined if the cache
 * cannot answer the request.
 */
export function findAvailability(availability: AvailabilityCache): ReadyFinder<PublicApi['GET /availability/get/']> {
  return (call) => availability.find(listingOf(call))
}

function listingOf({
  query,
  paging,
  now,
}: Parameters<ReadyFinder<PublicApi['GET /availability/get/']>>[0]): AvailabilityQuery {
  return {
    from: query.min_timestamp,
    until: query.max_timestamp,
    now,
    part: paging,
    ...(query.services && { serviceIds: query.services }),
    ...(query.providers && { providerIds: query.providers }),
  }
}

function listed<T, Shown>(list: Listed<T>, show: (item: T) => Shown) {
  return 'page' in list ? { page: list.page.map(show), total: list.total } : { rows: eachShown(list.rows, show) }
}

async function* eachShown<T, Shown>(rows: AsyncIterable<readonly T[]>, show: (item: T) => Shown) {
  for await (const part of rows) yield part.map(show)
}
