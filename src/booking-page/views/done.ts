import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { type Html, html } from '../../html.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import type { BookableTime } from '../calendar.ts'
import { visitUrl } from '../visit.ts'
import type { Words } from '../words/en.ts'
import { fill } from '../words/words.ts'
import { durationText, priceText } from './format.ts'
import type { Page, View } from './layout.ts'
import { zoneText } from './month.ts'

/** The data of the pages that show what a form has booked, as it is stored now. */
export interface BookedView extends View {
  readonly service: Service
  /** The provider of the first reservation; undefined after the provider was removed. */
  readonly provider: Provider | undefined
  readonly slot: Interval
  readonly location: string
  /** The number of seats that the form booked and that the customer still has. */
  readonly seats: number
  /** The price of these seats together, after the reduction by a coupon. */
  readonly price: Pick<BookableTime, 'price' | 'currency'>
  /** The address to which mail about the booking goes; empty if the form was changed to another one since it booked. */
  readonly email: string
  /**
   * Whether the form was sent after the booking in another step than the one that books, such as that of the details.
   */
  readonly isLater: boolean
  /** The URL of the page on which the customer manages the reservation; it contains the secret of the reservation. */
  readonly manageUrl: string
  /**
   * The address of the online meeting; `expected` while a calendar system is to create it, and null for an appointment
   * without one.
   */
  readonly meeting: string | null
}

/** The data of the page that confirms a booking. */
export interface DoneView extends BookedView {
  readonly pending: boolean
  /**
   * The URL of the site owner's page to which the customer continues, signed if the host site (the owner's website) has
   * a secret; empty for none.
   */
  readonly afterUrl: string
}

/** Returns the page that confirms a booking. */
export function donePage(view: DoneView): Page {
  const { words, service, visit, isLater, pending, manageUrl, afterUrl } = view
  const title = pending ? words.requested : words.booked
  const text = textOf(view, pending ? words.requestedText : words.bookedText)
  // The embedding page is told of a booking by the attribute, and only once while the customer moves through the form.
  const body = html`<div${!isLater && html` data-booked="${service.id}"`}><h1>${title}</h1><p class="note">${text}</p>
${bookedFacts(view)}
${!pending && calendarLinks(view)}
<div class="buttons">${afterUrl && html`<a class="main" href="${afterUrl}" target="_top" rel="noopener">${words.toSummary}</a>`}<a class="${afterUrl ? 'plain' : 'main'}" href="${manageUrl}" target="_top" rel="noreferrer">${words.manage}</a>
<a class="plain" href="${visitUrl('/book/', visit, { with: '', seats: '' })}">${words.bookAnother}</a></div></div>`
  return { title, body }
}

/** Returns the page that asks the customer to confirm the e-mail address by the link in the mail. */
export function verifySentPage(view: BookedView & { readonly verifyUntil: number }): Page {
  const { words, formats, verifyUntil } = view
  const text = textOf(view, words.verifySent, { time: formats.time(verifyUntil) })
  const body = html`<h1>${words.verifyTitle}</h1><p class="note">${text}</p>${bookedFacts(view)}`
  return { title: words.verifyTitle, body }
}

/**
 * Returns the page that is shown inside a frame after a booking that must be paid or, with `card`, for which a card
 * must be saved. Its link opens outside of the frame, because the page of the payment processor does not open in a
 * frame.
 */
export function toPaymentPage(view: BookedView & { readonly card: boolean }): Page {
  const { words, manageUrl, card } = view
  const title = card ? words.cardTitle : words.payTitle
  const body = html`<h1>${title}</h1>${bookedFacts(view)}
<div class="buttons"><a class="main" href="${manageUrl}payment/" target="_top" rel="noreferrer">${card ? words.toCard : words.toPayment}</a></div>`
  return { title, body }
}

/**
 * Returns the page that is shown inside a frame for a reservation that was cancelled or has expired. Its link to the
 * page of the reservation opens outside of the frame, because that page does not open in a frame.
 */
export function toReservationPage({ words, manageUrl }: Pick<BookedView, 'words' | 'manageUrl'>): Page {
  const body = html`<h1>${words.manageTitle}</h1>
<div class="buttons"><a class="main" href="${manageUrl}" target="_top" rel="noreferrer">${words.manage}</a></div>`
  return { title: words.manageTitle, body }
}

/**
 * Returns a sentence with the customer's address, or one which says that changes of a form after its booking are not
 * stored.
 */
function textOf({ words, email, isLater }: BookedView, sentence: string, more: Readonly<Record<string, string>> = {}) {
  return isLater || email === '' ? words.bookedBefore : fill(sentence, { ...more, email })
}

function bookedFacts(view: BookedView): Html {
  const { words, formats, service, provider, slot, location } = view
  const price = priceText(view.price, words, formats)
  return html`<dl class="sum"><dt>${words.service}</dt><dd>${service.name}</dd>
<dt>${words.when}</dt><dd>${formats.date(slot.start)}, ${formats.time(slot.start)}–${formats.time(slot.end)}<br><span class="soft small">${zoneText(view, slot.start)}</span></dd>
<dt>${words.duration}</dt><dd>${durationText(words, slot.end - slot.start)}</dd>
${provider && html`<dt>${words.provider}</dt><dd>${provider.name}</dd>`}
${location && html`<dt>${words.where}</dt><dd>${location}</dd>`}
${view.meeting !== null && html`<dt>${words.online}</dt><dd>${meetingContent(words, view.meeting)}</dd>`}
${price && html`<dt>${view.seats > 1 ? words.total : words.price}</dt><dd>${price}</dd>`}</dl>`
}

/**
 * Returns the link to an online meeting, followed by its address as a text to copy; undefined if there is none. For the
 * address `expected`, returns a sentence which says that the link will follow.
 */
export function meetingContent(
  { joinMeeting, meetingFollows }: Words,
  address: string | null,
): Html | string | undefined {
  if (address === null) return undefined
  if (address === 'expected') return meetingFollows
  return html`<a href="${address}" target="_blank" rel="noopener noreferrer">${joinMeeting}</a><br><span class="soft small">${address}</span>`
}

/** Returns links that add the appointment to a calendar. */
export function calendarLinks({
  words,
  slot,
  service,
  site,
  location: place,
  meeting,
  manageUrl,
}: Pick<BookedView, 'words' | 'slot' | 'service' | 'site' | 'location' | 'meeting' | 'manageUrl'>): Html {
  const location = meeting === null || meeting === 'expected' ? place : meeting
  const [start, end] = [compactUtc(slot.start), compactUtc(slot.end)]
  const text = `${service.name} · ${site.name}`
  const google = new URLSearchParams({ action: 'TEMPLATE', text, dates: `${start}/${end}`, location })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: text,
    startdt: `${wallTime('UTC', slot.start)}:00Z`,
    enddt: `${wallTime('UTC', slot.end)}:00Z`,
    location,
  })
  return html`<h2>${words.addToCalendar}</h2><div class="buttons"><a class="plain" href="${manageUrl}calendar.ics">${words.calendarFile}</a>
<a class="plain" href="https://calendar.google.com/calendar/render?${google.toString()}" target="_blank" rel="noopener noreferrer">${words.google}</a>
<a class="plain" href="https://outlook.live.com/calendar/0/deeplink/compose?${outlook.toString()}" target="_blank" rel="noopener noreferrer">${words.outlook}</a></div>`
}

function compactUtc(at: number): string {
  return `${wallTime('UTC', at).replace(/[-:]/g, '')}00Z`
}
