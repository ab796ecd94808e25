import type { FastifyInstance } from 'fastify'
import { handles, type Provider } from '../catalogue/providers/provider.ts'
import type { Service } from '../catalogue/services/service.ts'
import { receiveForm } from '../http/request/form-body.ts'
import { findFormOutcome } from './book.operations.ts'
import { answerBooked } from './booked/booked.routes.ts'
import { answerStep } from './booking-steps.routes.ts'
import { linkState } from './links/booking-link.ts'
import { choiceView, listedServices, servicePath, showMonth, showService } from './month.routes.ts'
import { answerPage, openRequest, type PageRequest, type PageSources, redirect } from './page-context.routes.ts'
import { slugsOf } from './settings.ts'
import { onwardUrl, servicesPage } from './views/choices.ts'
import { pageRoute, publicPageRoute } from './views/error-pages.ts'
import { messagePage } from './views/layout.ts'

/** Serves the booking page under `/book/`: the choice of service, provider and time, and the steps of the form. */
export function answerBookingPage(fastify: FastifyInstance, sources: PageSources): void {
  fastify.get('/book/', publicPageRoute('GET /book/'), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    if (!page.view.settings.enabled) return closed(page)
    const services = listedServices(page)
    const [only] = services
    if (only && services.length === 1) return showService(page, only)
    const view = { ...choiceView(page), offersBookings: await sources.canMail() }
    return answerPage(page, servicesPage(view, services, page.pages))
  })
  fastify.get('/book/with/:provider/', publicPageRoute('GET /book/with/:provider/'), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    if (!page.view.settings.enabled) return closed(page)
    const provider = providerNamed(page, parameter(request.params, 'provider'))
    if (!provider) return missing(page)
    const services = listedServices(page).filter(({ id }) => handles(provider, id))
    const [only] = services
    if (!only || services.length > 1)
      return answerPage(page, servicesPage(choiceView(page), services, page.pages, provider))
    return redirect(reply, onwardUrl(servicePath(page, only), choiceView(page), { with: String(provider.id) }), 303)
  })
  fastify.get('/book/link/:secret/', pageRoute('GET /book/link/:secret/'), async (request, reply) => {
    const page = await openRequest(sources, request, reply, linked(request.url, parameter(request.params, 'secret')))
    if (!page.view.settings.enabled) return closed(page)
    const { link, catalogue, view } = page
    const service = link && catalogue.service(link.serviceId)
    if (!sources.limits.form(request.ip, page.now)) return answerPage(page, messagePage(view, 'failed', 'tooMany'), 429)
    if (!service || !link || linkState(link, page.now) !== 'open') return uninvited(page)
    return redirect(reply, onwardUrl(servicePath(page, service), choiceView(page)), 303)
  })
  fastify.get('/book/:service/', publicPageRoute('GET /book/:service/'), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    const slug = parameter(request.params, 'service')
    const service = serviceNamed(page, slug)
    if (!page.view.settings.enabled) return closed(page)
    if (!service) return missing(page)
    if (!isAdmitted(page, service)) return uninvited(page, service)
    if (page.pages.slugOf(service.id) !== slug)
      return redirect(reply, onwardUrl(servicePath(page, service), choiceView(page)), 301)
    return showService(page, service)
  })
  fastify.post('/book/:service/', pageRoute('POST /book/:service/'), async (request, reply) => {
    const sent = await receiveForm(request, reply, sources.slots)
    if (!sent) return
    const page = await openRequest(sources, request, reply, withGo(sent))
    const { view, now } = page
    const service = serviceNamed(page, parameter(request.params, 'service'))
    if (!view.settings.enabled) return closed(page)
    if (!service) return missing(page)
    if (!sources.limits.form(request.ip, now)) return answerPage(page, messagePage(view, 'failed', 'tooMany'), 429)
    if (sent.has('go')) return isAdmitted(page, service) ? showMonth(page, service) : uninvited(page, service)
    // A form that was booked shows its booking in every step, so that the customer who goes back in the history of the
    // browser does not take the own booking for that of another person. This needs no private link, which it has used.
    const outcome = await findFormOutcome(sources.app.db, sent.get('form') ?? '', now)
    if (outcome?.booked && !['choose', 'release'].includes(sent.get('step') ?? 'choose'))
      return answerBooked(page, service, outcome.booked)
    if (!isAdmitted(page, service)) return uninvited(page, service)
    return answerStep(page, service, { hasOutcome: outcome !== undefined })
  })
}

/**
 * Returns the parameters of a posted form. A navigation button of the calendar sends the parameters that it changes in
 * the field `go`, because a button has only one value.
 */
function withGo(sent: URLSearchParams): URLSearchParams {
  const go = sent.get('go')
  if (!go) return sent
  const changed = new URLSearchParams(sent)
  changed.delete('date')
  for (const [name, value] of new URLSearchParams(go)) changed.set(name, value)
  return changed
}

function parameter(parameters: unknown, name: 'service' | 'provider' | 'secret'): string {
  return String((parameters as Readonly<Record<string, unknown>>)[name] ?? '')
}

function serviceNamed({ catalogue, pages }: PageRequest, slug: string): Service | undefined {
  const service = catalogue.service(pages.findService(slug) ?? slug)
  return service?.settings.active && pages.service(service.id).access !== 'closed' ? service : undefined
}

function providerNamed({ catalogue: { providers } }: PageRequest, slug: string): Provider | undefined {
  const slugs = slugsOf(
    providers.map(({ name }) => name),
    'provider',
  )
  return providers.find(({ id }, index) => slugs[index] === slug || String(id) === slug)
}

/** Returns the query parameters of a URL, with the secret of a private link added. */
function linked(url: string, secret: string): URLSearchParams {
  const sent = new URLSearchParams(url.split('?')[1]?.slice(0, 4_000))
  sent.set('link', secret)
  return sent
}

/**
 * Whether the visitor may book the service. A service for private links requires an open link to it, and a service for
 * users of the host site (the owner's website) requires a visitor that a token of that site has identified.
 */
function isAdmitted({ pages, link, hostVisitor, now }: PageRequest, { id }: Service): boolean {
  const { access } = pages.service(id)
  if (access === 'host') return hostVisitor !== undefined
  if (access !== 'link') return true
  return link?.serviceId === id && linkState(link, now) === 'open'
}

function uninvited(page: PageRequest, service?: Service): Promise<void> {
  const forHost = service && page.pages.service(service.id).access === 'host'
  if (forHost) return answerPage(page, messagePage(page.view, 'hostOnly', 'hostOnlyText'), 403)
  return answerPage(page, messagePage(page.view, 'linkInvalid', 'inviteInvalid'), 403)
}

function missing(page: PageRequest): Promise<void> {
  return answerPage(page, messagePage(page.view, 'notFound', 'notFoundText'), 404)
}

function closed(page: PageRequest): Promise<void> {
  return answerPage(page, messagePage(page.view, 'closed', 'closedText'), 404)
}
