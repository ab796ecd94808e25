import type { Catalogue } from '../catalogue/catalogue.ts'
import { handles, type Provider } from '../catalogue/providers/provider.ts'
import { type EffectiveSettings, effectiveSettings, type Service } from '../catalogue/services/service.ts'
import { type Content, html } from '../html.ts'
import { slotSourcesOf } from '../scheduling/listing/slot-source.ts'
import { sourceFor } from '../scheduling/rules/rule-case.ts'
import { wallTime } from '../scheduling/time/zone.ts'
import { type BookableTime, byDate, monthInterval, monthOf, nearestTimes } from './calendar.ts'
import { codeEntries, keptEntries, prefilledEntries } from './details.ts'
import { type MovedReservation, whyNoTimes } from './free-times.operations.ts'
import { answerPage, countStep, type PageRequest } from './page-context.routes.ts'
import { newFormSecret } from './secrets.operations.ts'
import { type ChoiceView, providersPage } from './views/choices.ts'
import type { View } from './views/layout.ts'
import { type MonthView, monthPage, timeButtons } from './views/month.ts'
import { visitUrl } from './visit.ts'

/** Options of `showMonth`, which shows the page on which a time is chosen. */
export interface MonthOptions {
  /** A message that the page shows above the free times; absent if there is none. */
  readonly alert?: Content
  /**
   * The start of the time that could not be booked (Unix seconds). If `alert` is given too, the page offers up to six
   * free times close to this start.
   */
  readonly instead?: number
  readonly status?: number
  /** The reservation that the customer moves; absent for a booking. */
  readonly moved?: MovedReservation
  /** The parts of the page that differ when a customer moves a reservation; absent for a booking. */
  readonly own?: {
    readonly title: string
    readonly path: string
    readonly backUrl: string
    readonly form: string
  }
}

/** Returns the providers who give a service, whether or not they have free times. */
export function providersOf({ catalogue }: Pick<PageRequest, 'catalogue'>, service: Service): readonly Provider[] {
  return catalogue.providers.filter((provider) => handles(provider, service.id))
}

/** Shows the next step for a service: the choice of a provider, or of a time. */
export async function showService(page: PageRequest, service: Service): Promise<void> {
  const { visit } = page.view
  const providers = providersOf(page, service)
  const chosen = providers.find(({ id }) => id === visit.provider)
  if (visit.provider === undefined || (visit.provider !== 'any' && !chosen)) {
    if (choosesProvider(page, service)) {
      countStep(page, service.id, 'viewed')
      const view = { ...choiceView(page), path: servicePath(page, service) }
      return answerPage(page, providersPage(view, service, providers, page.pages))
    }
  }
  // A provider, month or date in the URL means that the visitor comes from an earlier page of the same booking, where
  // the step `viewed` was counted. A visitor whose first URL has one of these parameters is therefore not counted.
  const { month, date } = visit
  if (visit.provider === undefined && month === undefined && date === undefined) countStep(page, service.id, 'viewed')
  return showMonth(page, service)
}

/** Returns the view of a page on which a service or a provider is chosen. The request is a GET: `sent` is its query. */
export function choiceView({ view, sent }: Pick<PageRequest, 'view' | 'sent'>): ChoiceView {
  const { month = '', date = '' } = view.visit
  const shown = [['month', month] as const, ['date', date] as const].filter(([, value]) => value !== '')
  return { ...view, carried: [...shown, ...prefilledEntries(sent)] }
}

/** Whether customers choose a provider of the service before they choose a time. */
function choosesProvider({ pages, catalogue }: PageRequest, service: Service): boolean {
  if (service.settings.routingMode === 'collective') return false
  return pages.service(service.id).choosesProvider && providersOf({ catalogue }, service).length > 1
}

/** Returns the path of a service's booking page. */
export function servicePath({ pages }: PageRequest, service: Service): string {
  return `/book/${pages.slugOf(service.id)}/`
}

/** Answers with the page that shows the free times of a service in one month. */
export async function showMonth(page: PageRequest, service: Service, options: MonthOptions = {}): Promise<void> {
  const { alert, instead, status, moved, own } = options
  const month = await loadMonth(page, service, { near: instead, moved })
  const view = { ...month, ...own, ...(own && { kept: [], maxSeats: 1 }) }
  const how = { own: own !== undefined }
  if (alert === undefined) return answerPage(page, monthPage(view), status, how)
  const near = instead === undefined ? [] : nearestTimes(view.times, instead, 6)
  const offered = near.length > 0 && html`<h2>${view.words.alternatives}</h2>${timeButtons(view, near, true)}`
  const body = html`<div class="alert" role="alert" tabindex="-1">${alert}</div>`
  // The buttons of the alternative times are in a separate form, because the page shows them below the message, outside
  // of the form of the calendar.
  const hidden = [['form', view.form], ...view.kept, ...Object.entries(view.visit.chosen)] as const
  const form =
    offered &&
    html`<form method="post" action="${view.path}" data-form>${hidden.map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}${offered}</form>`
  return answerPage(page, monthPage({ ...view, alert: html`${body}${form}` }), status, how)
}

/**
 * Loads the month that the visitor chose. When the visitor chose none, loads the month of the instant `near` (Unix
 * seconds), or of now if `near` is undefined; when this month has no free times, loads the month of the next free time
 * instead. The free times are those for a move of the reservation `moved`, or for a booking if it is undefined.
 */
async function loadMonth(
  page: PageRequest,
  service: Service,
  { near, moved }: { readonly near: number | undefined; readonly moved: MovedReservation | undefined },
): Promise<MonthView> {
  const { sources, request, catalogue, sent, now } = page
  const { freeTimes, app } = sources
  const view: View = { ...page.view, path: servicePath(page, service) }
  const { visit } = view
  const providers = providersOf(page, service)
  const named = providers.find(({ id }) => id === visit.provider)
  const only = providers.length === 1 ? providers[0] : undefined
  const provider = named ?? only
  const wanted = { catalogue, service, providerId: named?.id, seats: visit.seats, now, moved }
  const timesIn = (month: string): Promise<readonly BookableTime[]> => {
    const { start, end } = monthInterval(month, visit.zone)
    return freeTimes.list({ ...wanted, from: start, until: end })
  }
  let month = visit.month ?? monthOf(wallTime(visit.zone, near ?? now))
  let times = await timesIn(month)
  const { start, end } = monthInterval(month, visit.zone)
  let next = times.length > 0 ? undefined : await freeTimes.next({ ...wanted, from: Math.max(end, now) })
  if (next !== undefined && visit.month === undefined) {
    month = monthOf(wallTime(visit.zone, next))
    times = await timesIn(month)
    next = times.length > 0 ? undefined : next
  }
  const reason = times.length > 0 ? undefined : await whyNoTimes(app.db, { ...wanted, from: start, until: end })
  const dates = byDate(times, visit.zone)
  const [first] = dates.keys()
  const rules = rulesOf(catalogue, service, named)
  // A date can have more seats than its provider has otherwise. A number that was chosen before can be lowered.
  const usual = Math.max(visit.seats, ...rules.map((rule) => rule.capacity))
  const seats = times.reduce((most, { seatsLeft }) => Math.max(most, seatsLeft ?? 1), usual)
  return {
    ...view,
    service,
    picture: page.pages.service(service.id).picture,
    provider,
    month,
    date: visit.date !== undefined && dates.has(visit.date) ? visit.date : first,
    times,
    next,
    reason,
    leadTime: Math.min(...rules.map((rule) => rule.leadTime)),
    horizon: Math.max(...rules.map((rule) => rule.horizon)),
    backUrl: backUrl(page, service),
    maxSeats: Math.min(view.settings.maxSeats, seats),
    form: newFormSecret(catalogue, now),
    kept: request.method === 'POST' ? [...keptEntries(sent), ...codeEntries(sent)] : prefilledEntries(sent),
  }
}

/**
 * Returns the settings of a service with the provider `named` or, without `named`, with each provider who gives it;
 * those of the service itself if there is no such provider.
 */
function rulesOf(catalogue: Catalogue, service: Service, named: Provider | undefined): readonly EffectiveSettings[] {
  const sources = named ? [sourceFor(catalogue, service, named)] : slotSourcesOf(catalogue, service)
  return sources.length > 0 ? sources.map(({ rule }) => rule) : [effectiveSettings(service, 0, undefined)]
}

function backUrl(page: PageRequest, service: Service): string | undefined {
  const { visit } = page.view
  if (visit.provider !== undefined && choosesProvider(page, service))
    return visitUrl(servicePath(page, service), visit, { with: '' })
  return listedServices(page).length > 1 ? visitUrl('/book/', visit, { with: '', seats: '' }) : undefined
}

/** Returns the active services with the access `listed`, in display order. */
export function listedServices({ catalogue, pages }: Pick<PageRequest, 'catalogue' | 'pages'>): readonly Service[] {
  return catalogue.services
    .filter((service) => service.settings.active && pages.service(service.id).access === 'listed')
    .sort((one, other) => (pages.positionOf(one.id) ?? 0) - (pages.positionOf(other.id) ?? 0))
}
