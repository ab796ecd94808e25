import { type Html, html } from '../../html.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { visitUrl } from '../visit.ts'
import type { Words } from '../words/en.ts'
import { fill } from '../words/words.ts'
import type { Page, View } from './layout.ts'
import { statusText } from './manage.ts'

/** Returns the page that asks for the e-mail address to which a link to "My bookings" is sent. */
export function askPage(
  { words, visit }: View,
  form: string,
  entered: { readonly email: string; readonly fault?: keyof Words } = { email: '' },
): Page {
  const { email, fault } = entered
  const error = fault && html`<p class="error" id="e-email" role="alert">${words[fault]}</p>`
  const body = html`<h1>${words.myBookings}</h1><p>${words.bookingsAsk}</p>
<form method="post" action="${visitUrl('/book/bookings/', visit)}" data-once novalidate><input type="hidden" name="form" value="${form}">
<div class="field${fault && ' bad'}"><label for="f-email">${words.email}</label><input id="f-email" name="email" type="email" value="${email}" required maxlength="254" autocomplete="email"${fault && html` aria-invalid="true" aria-describedby="e-email"`}>${error}</div>
<div class="trap" aria-hidden="true"><label>Website<input name="website" tabindex="-1" autocomplete="off"></label></div>
<button class="main">${words.bookingsSend}</button></form>`
  return { title: words.myBookings, body }
}

/**
 * Returns the page that follows a request for a link to "My bookings"; it does not reveal whether the address is known.
 */
export function sentPage({ words, visit }: View, email: string): Page {
  const body = html`<h1>${words.myBookings}</h1><p class="note" role="status">${fill(words.bookingsSent, { email })}</p>
<p><a href="${visitUrl('/book/', visit)}">${words.toStart}</a></p>`
  return { title: words.myBookings, body }
}

/**
 * Returns the page that a link to "My bookings" opens. Opening the page does not use up the link, because mail scanners
 * open links; only the button on the page does.
 */
export function openPage({ words }: View): Page {
  const body = html`<h1>${words.myBookings}</h1><p>${words.bookingsOpenText}</p>
<form method="post" data-once><button class="main">${words.bookingsOpen}</button></form>`
  return { title: words.myBookings, body }
}

/** A booking in the list that "My bookings" shows to its customer. */
export interface OwnBooking {
  readonly reservation: Reservation
  /** The names of the service, the provider and the customer; each is empty when the object was removed. */
  readonly service: string
  readonly provider: string
  readonly customer: string
  /** The path of the page on which the customer manages the reservation; it contains the secret of the page. */
  readonly path: string
}

/** The data of the page with the bookings of an e-mail address. */
export interface OwnBookingsView extends View {
  readonly upcoming: readonly OwnBooking[]
  /** Past and cancelled bookings, the latest first. */
  readonly past: readonly OwnBooking[]
  /** The CSRF token of the forms on the page. */
  readonly form: string
  /** Whether the customer has already requested the deletion of their data. */
  readonly deletionRequested: boolean
  /** Whether the page confirms that a request for deletion has just been received. */
  readonly done: boolean
}

/**
 * Returns the page "My bookings": the customer's bookings, a link that downloads the customer's data, and a button that
 * requests the deletion of that data.
 */
export function ownPage(view: OwnBookingsView): Page {
  const { words, visit, upcoming, past, form, deletionRequested, done } = view
  const action = (part: string) => visitUrl(`/manage/bookings/${part}/`, visit)
  const token = html`<input type="hidden" name="form" value="${form}">`
  const body = html`<h1>${words.myBookings}</h1>${done && html`<p class="note" role="status">${words.deletionRequested}</p>`}
<h2>${words.bookingsUpcoming}</h2>${upcoming.length === 0 ? html`<p>${words.bookingsNone}</p>` : list(view, upcoming)}
${past.length > 0 && html`<h2>${words.bookingsPast}</h2>${list(view, past)}`}
<h2>${words.ownData}</h2><p>${words.ownDataText}</p><p><a class="plain" href="/manage/bookings/data.json" download>${words.ownDataDownload}</a></p>
${
  deletionRequested
    ? html`<p>${words.deletionPending}</p>`
    : html`<form method="post" action="${action('deletion')}" data-once>${token}<p>${words.deletionText}</p><button class="plain">${words.deletionRequest}</button></form>`
}
<form method="post" action="${action('leave')}" class="buttons" data-once>${token}<button class="plain">${words.bookingsLeave}</button><a class="plain" href="${visitUrl('/book/', visit)}">${words.bookAnother}</a></form>`
  return { title: words.myBookings, body }
}

function list(view: OwnBookingsView, bookings: readonly OwnBooking[]): Html {
  const { words, formats } = view
  return html`<ul class="list">${bookings.map(({ reservation, service, provider, customer, path }) => {
    const { start, end } = reservation
    const time = `${formats.date(start)}, ${formats.time(start)}–${formats.time(end)}`
    const facts = [
      service,
      provider && fill(words.withProvider, { name: provider }),
      customer,
      statusText(words, reservation),
    ]
    return html`<li><a class="card" href="${path}"><span class="grow"><b>${time}</b><span class="soft small">${facts
      .filter((fact) => fact !== '')
      .join(' · ')}</span></span></a></li>`
  })}</ul>`
}
