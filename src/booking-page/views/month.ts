import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { type Content, type Html, html } from '../../html.ts'
import { decimalText } from '../../money.ts'
import { dateAt, wallTime } from '../../scheduling/time/zone.ts'
import {
  type BookableTime,
  byDate,
  byDayPart,
  type Month,
  monthAfter,
  monthInterval,
  monthOf,
  type NoTimesReason,
  weeksOf,
} from '../calendar.ts'
import { visitUrl } from '../visit.ts'
import { fill } from '../words/words.ts'
import { durationText, priceText } from './format.ts'
import { hiddenFields, type Page, type View } from './layout.ts'
import { offeredZones } from './zones.ts'

/** The data of the page with the free times of a service in one month. */
export interface MonthView extends View {
  /** The URL of the service's picture; empty for none. */
  readonly picture: string
  readonly service: Service
  /** The provider whose times are shown; undefined for those of all providers. */
  readonly provider: Provider | undefined
  readonly month: Month
  /** The date (`YYYY-MM-DD`) whose times are shown; undefined if there is none. */
  readonly date: string | undefined
  readonly times: readonly BookableTime[]
  /**
   * The start of the next free time after the month (Unix seconds); undefined when the month has free times, or when no
   * later time is free.
   */
  readonly next: number | undefined
  /** Why the month has no free times; undefined when it has any. */
  readonly reason: NoTimesReason | undefined
  /** The minimum number of seconds by which a slot must start after now. */
  readonly leadTime: number
  /** The maximum number of seconds by which a slot may start after now. */
  readonly horizon: number
  /** The URL of the previous step of the booking; undefined when there is none. */
  readonly backUrl: string | undefined
  /** The maximum number of seats that the visitor can choose. */
  readonly maxSeats: number
  /**
   * The secret of a new booking form, whose hash identifies the hold (the temporary reservation of the chosen time).
   * When a reservation is moved, the CSRF token of the form instead.
   */
  readonly form: string
  /** The details that the customer has already entered, as form entries; sent along while another time is chosen. */
  readonly kept: readonly (readonly [string, string])[]
  /**
   * A message that the page shows above the free times, such as that the chosen time was taken; absent if there is
   * none.
   */
  readonly alert?: Content
  /**
   * The title of the page when it serves another purpose than a booking, such as moving a reservation; otherwise
   * absent.
   */
  readonly title?: string
}

/** Returns the page on which a time is chosen: a month with its available days, and the times of one day. */
export function monthPage(view: MonthView): Page {
  const { words, service, provider, formats, times, alert, backUrl, path, form, kept, origin, month, date } = view
  const price = commonPrice(view)
  const facts = [
    provider && fill(words.withProvider, { name: provider.name }),
    times[0] && durationText(words, times[0].end - times[0].start),
    price && priceText(price, words, formats),
  ].filter((fact) => fact)
  const title = view.title ?? service.name
  const body = html`${backUrl && html`<a class="back" href="${backUrl}">${words.back}</a>`}
<h1>${title}</h1><p class="soft">${facts.join(' · ')}</p>${alert}
${service.description && html`<p>${service.description}</p>`}
<form method="post" action="${path}" data-form>${hiddenFields(view, [['form', form], ['month', month], ...(date ? [['date', date] as const] : []), ...kept])}
<div class="split" data-month="${month}" aria-live="polite">${monthPart(view)}</div></form>${tools(view)}`
  return {
    title,
    description: service.description || words.chooseTime,
    body,
    ...(view.title === undefined && { canonical: origin + path, offer: offerOf(view) }),
    ...(view.picture && { image: view.picture }),
  }
}

/**
 * Returns the calendar of the month and the times of the chosen day, which the script of the page replaces when the
 * visitor navigates.
 */
function monthPart(view: MonthView): Html {
  const { words, formats, visit, month, times } = view
  const { start, end } = monthInterval(month, visit.zone)
  const first = monthOf(wallTime(visit.zone, view.now))
  const title = formats.month((start + end) / 2)
  return html`<section><div class="month">${goTo(view, { month: monthAfter(month, -1) }, words.previousMonth, '‹', month <= first)}
<h2>${title}</h2>${goTo(view, { month: monthAfter(month, 1) }, words.nextMonth, '›', end > view.now + view.horizon)}</div>
${daysTable(view)}</section><section>${times.length === 0 ? noTimes(view, title) : dayTimes(view)}</section>`
}

function daysTable(view: MonthView): Html {
  const { words, formats, visit, month, date, times } = view
  const free = byDate(times, visit.zone)
  const cell = (day: string | undefined): Html => {
    if (day === undefined) return html`<td></td>`
    const number = formats.number(Number(day.slice(8)))
    const own = free.get(day)
    if (!own) return html`<td><span class="day" aria-disabled="true">${number}</span></td>`
    const label = fill(words.dayFree, { date: formats.date(own[0]?.start ?? 0) })
    return html`<td>${control(view, { date: day, month }, label, number, day === date ? 'day free on' : 'day free', day === date)}</td>`
  }
  return html`<table class="days"><thead><tr>${formats.weekdays.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${weeksOf(month).map((week) => html`<tr>${week.map(cell)}</tr>`)}</tbody></table>`
}

function dayTimes(view: MonthView): Html {
  const { words, visit, formats, date, times } = view
  const own = (date && byDate(times, visit.zone).get(date)) || []
  const [first] = own
  if (!first) return html`<h2>${words.chooseTime}</h2><p class="soft">${words.chooseDay}</p>`
  const parts = byDayPart(own, visit.zone)
  return html`<h2>${fill(words.timesOn, { date: formats.date(first.start) })}</h2><p class="soft small">${zoneText(view, first.start)}</p>
${(['morning', 'afternoon', 'evening'] as const).map((part) => {
  const within = parts.get(part)
  return within && html`<h3>${words[part]}</h3>${timeButtons(view, within)}`
})}`
}

/** Returns buttons that choose one of the given times. */
export function timeButtons(view: MonthView, times: readonly BookableTime[], withDate = false): Html {
  const { words, formats } = view
  const usual = commonPrice(view)
  return html`<ul class="times">${times.map((time) => {
    const { start, providerIds, seatsLeft } = time
    const notes = [
      withDate && formats.shortDate(start),
      !usual && priceText(time, words, formats),
      seatsLeft !== null && (seatsLeft === 1 ? words.seatLeft : fill(words.seatsLeft, { count: seatsLeft })),
    ].filter((note) => note)
    return html`<li><button class="time" name="slot" value="${start}.${providerIds.slice(0, maxCandidates).join('-')}">${formats.time(start)}${notes.map((note) => html`<small>${note || ''}</small>`)}</button></li>`
  })}</ul>`
}

const maxCandidates = 20

function noTimes(view: MonthView, month: string): Html {
  const { words, formats, next, visit } = view
  const why = reasonText(view)
  const date = next === undefined ? undefined : dateAt(visit.zone, next)
  return html`<h2>${fill(words.noTimesInMonth, { month })}</h2>${why && html`<p>${why}</p>`}
${
  next !== undefined && date !== undefined
    ? html`<p>${control(view, { date, month: monthOf(date) }, '', fill(words.nextFree, { date: formats.date(next) }), 'main')}</p>`
    : html`<p>${words.noTimesAhead}</p>`
}`
}

function reasonText(view: MonthView): string {
  const { words, reason, provider, month, visit, now, leadTime, horizon } = view
  const days = Math.round(horizon / 86_400)
  const tooFar = days === 1 ? words.whyHorizonDay : fill(words.whyHorizon, { days })
  if (monthInterval(month, visit.zone).start > now + horizon) return tooFar
  switch (reason) {
    case 'horizon':
      return tooFar
    case 'occupancy':
    case 'capacity':
    case 'calendar':
      return words.whyFull
    case 'limits':
      return words.whyLimit
    case 'lead_time':
      return fill(words.whyLead, { time: durationText(words, leadTime) })
    case 'time_off':
      return provider ? fill(words.whyAway, { name: provider.name }) : words.whyClosed
    case 'opening_hours':
    case 'none':
      return words.whyClosed
    default:
      return ''
  }
}

/** Returns the price that all times of the page have in common; undefined when they differ or there are none. */
function commonPrice({ times }: MonthView): Pick<BookableTime, 'price' | 'currency'> | undefined {
  const [first] = times
  return first && times.every(({ price, currency }) => price === first.price && currency === first.currency)
    ? first
    : undefined
}

/** Returns the sentence that names the time zone of the displayed times. */
export function zoneText({ words, visit, formats }: View, at: number): string {
  return fill(words.timesIn, { zone: `${formats.zone(at)} (${visit.zone.replaceAll('_', ' ')})` })
}

function goTo(view: MonthView, change: { readonly month: string }, label: string, sign: string, off: boolean): Html {
  return off ? html`<span class="nav off" aria-hidden="true">${sign}</span>` : control(view, change, label, sign, 'nav')
}

/**
 * Returns a control that leads to another month or day of the calendar. The control is a link; when the customer has
 * already entered details, it is a button that posts them with the form, because URLs must not contain personal data.
 */
function control(
  view: MonthView,
  change: Readonly<Record<string, string>>,
  label: string,
  text: string,
  style: string,
  current = false,
): Html {
  const { kept, path, visit } = view
  const named = label !== '' && html` aria-label="${label}"`
  const pressed = current && html` aria-current="date"`
  if (kept.length > 0)
    return html`<button class="${style}" name="go" value="${new URLSearchParams(change).toString()}"${named}${pressed} formnovalidate>${text}</button>`
  return html`<a class="${style}" href="${visitUrl(path, visit, change)}"${named}${pressed}>${text}</a>`
}

function tools(view: MonthView): Html {
  const { words, visit, site, path, kept, month, date, maxSeats } = view
  const { zone: _, seats: __, ...rest } = visit.chosen
  const hidden = [
    ...Object.entries(rest),
    ['month', month] as const,
    ...(date ? [['date', date] as const] : []),
    ...kept,
  ]
  const seats = Array.from({ length: maxSeats }, (_, index) => index + 1)
  return html`<form class="tools" method="${kept.length > 0 ? 'post' : 'get'}" action="${path}" data-tools>
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${maxSeats > 1 && html`<label>${words.seats}<br><select name="seats">${seats.map((count) => option(String(count), count === visit.seats))}</select></label>`}
<label>${words.zone}<br><select name="zone" data-zone="${visit.chosen.zone ?? ''}">${offeredZones(site.timezone, visit.zone).map((zone) => option(zone, zone === visit.zone))}</select></label>
<button class="plain"${kept.length > 0 && html` name="go" value=""`}>${words.show}</button></form>`
}

function option(text: string, selected: boolean): Html {
  return html`<option${selected && html` selected`}>${text}</option>`
}

function offerOf(view: MonthView): Readonly<Record<string, unknown>> {
  const { service, site, origin, path } = view
  const price = commonPrice(view)
  const { description, name } = service
  const offers =
    price?.price != null && price.currency
      ? {
          '@type': 'Offer',
          price: decimalText({ amount: price.price, currency: price.currency }),
          priceCurrency: price.currency,
          url: origin + path,
        }
      : undefined
  const provider = { '@type': 'Organization', name: site.name, ...(site.siteUrl && { url: site.siteUrl }) }
  return {
    '@context': 'https://schema.org',
    '@type': 'Service',
    name,
    ...(description && { description }),
    provider,
    ...(offers && { offers }),
  }
}
