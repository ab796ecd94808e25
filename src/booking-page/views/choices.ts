import type { Provider } from '../../catalogue/providers/provider.ts'
import { effectiveSettings, type Service } from '../../catalogue/services/service.ts'
import { type Html, html } from '../../html.ts'
import { localText, type Pages } from '../settings.ts'
import { visitUrl } from '../visit.ts'
import { fill } from '../words/words.ts'
import { durationText, priceText } from './format.ts'
import type { Page, View } from './layout.ts'

/** The data of a page on which a service or a provider is chosen. */
export interface ChoiceView extends View {
  /**
   * The parameters of the page's address that its links repeat besides the visitor's choices: the month, the date and
   * the details that fill in the form.
   */
  readonly carried: readonly (readonly [string, string])[]
}

/** Returns the URL of another page of the same booking, as `visitUrl` does, with the parameters in `carried`. */
export function onwardUrl(
  path: string,
  { visit, carried }: ChoiceView,
  change: Readonly<Record<string, string>> = {},
): string {
  const url = visitUrl(path, visit, change)
  if (carried.length === 0) return url
  return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(carried.map((entry) => [...entry]))}`
}

/** Returns the page that lists services; with `provider`, it shows that provider's durations and prices. */
export function servicesPage(view: ChoiceView, services: readonly Service[], pages: Pages, provider?: Provider): Page {
  const { words, site, settings, visit, origin, path } = view
  const intro = localText(settings.intro, visit.locale, site.language)
  const groups = Map.groupBy(services, ({ id }) => pages.service(id).category)
  // Services without a category come first.
  const categories = [...groups.keys()].sort((one, other) => Number(one !== '') - Number(other !== ''))
  const title = provider ? `${words.bookTitle} ${fill(words.withProvider, { name: provider.name })}` : words.bookTitle
  const body = html`<h1>${title}</h1>${intro && html`<p>${intro}</p>`}
${services.length === 0 ? html`<p>${words.noServices}</p>` : html`<p class="soft">${words.chooseService}</p>`}
${categories.map(
  (category) =>
    html`${category && html`<h2>${category}</h2>`}<ul class="list">${groups
      .get(category)
      ?.map((service) => serviceCard(view, service, pages, provider))}</ul>`,
)}
${view.offersBookings && html`<p>${bookingsLink(view)}</p>`}`
  return { title, description: intro || words.chooseService, body, canonical: origin + path }
}

/**
 * Returns the link to "My bookings". On a page in another site it opens outside of the frame, because other sites
 * cannot embed "My bookings". A preview in the panel can: its frame shows every page, and may not open pages outside of
 * it.
 */
function bookingsLink({ words, visit }: View): Html {
  const leavesFrame = visit.embedded && visit.preview === undefined
  const url = visitUrl('/book/bookings/', visit, leavesFrame ? { embed: '' } : {})
  return html`<a href="${url}"${leavesFrame && html` target="_top"`}>${words.myBookings}</a>`
}

function serviceCard(view: ChoiceView, service: Service, pages: Pages, provider: Provider | undefined): Html {
  const { words, formats, site } = view
  const { picture } = pages.service(service.id)
  const rule = effectiveSettings(service, provider?.id ?? 0, provider?.services.get(service.id))
  const price = priceText({ price: rule.price, currency: rule.currency ?? site.currency }, words, formats)
  const url = onwardUrl(`/book/${pages.slugOf(service.id)}/`, view, provider && { with: String(provider.id) })
  return html`<li><a class="card" href="${url}">${picture && html`<img src="${picture}" alt="" loading="lazy" width="64" height="64">`}
<span class="grow"><b>${service.name}</b>${service.description && html`<span class="soft small">${service.description}</span>`}</span>
<span class="side">${durationText(words, rule.duration)}${price && html`<br>${price}`}</span></a></li>`
}

/** Returns the page on which the provider of a service is chosen. */
export function providersPage(view: ChoiceView, service: Service, providers: readonly Provider[], pages: Pages): Page {
  const { words, origin, path } = view
  const url = (choice: string) => onwardUrl(`/book/${pages.slugOf(service.id)}/`, view, { with: choice })
  const body = html`<a class="back" href="${onwardUrl('/book/', view)}">${words.back}</a>
<h1>${service.name}</h1><p class="soft">${words.chooseProvider}</p>
<ul class="list"><li><a class="card" href="${url('any')}"><span class="grow"><b>${words.anyone}</b><span class="soft small">${words.anyoneHint}</span></span></a></li>
${providers.map(
  ({ id, name }) =>
    html`<li><a class="card" href="${url(String(id))}"><span class="grow"><b>${name}</b></span></a></li>`,
)}</ul>`
  return {
    title: service.name,
    description: service.description || words.chooseProvider,
    body,
    canonical: origin + path,
  }
}
