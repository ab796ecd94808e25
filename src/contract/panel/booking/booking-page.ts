import type { Access, PageSettings, ServicePage, Wish } from '../../../booking-page/settings.ts'
import type { PageFont } from '../../../booking-page/views/fonts.ts'
import { type OwnTexts, ownTextNames } from '../../../booking-page/words/own-texts.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { leading, none, nothing } from '../row.ts'

const wish = oneOf<Wish>({ none: true, optional: true, required: true })
const localText = Type.Unsafe<Readonly<Partial<Record<string, string>>>>({
  type: 'object',
  description: 'A text by language',
  maxProperties: 20,
  maxBytes: 10_000,
  additionalProperties: { type: 'string', maxLength: 2_000 },
})
const ownText = { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 500 } }
const ownTexts = Type.Unsafe<OwnTexts>({
  type: 'object',
  description: 'Texts that replace those of the page, each by language',
  properties: Object.fromEntries(ownTextNames.map((name) => [name, ownText])),
  additionalProperties: false,
})
const webAddress = Type.String({ maxLength: 2_000, pattern: '^$|^https?://[^\\s"<>]+$' })
const origin = Type.String({ maxLength: 300, pattern: '^https?://[A-Za-z0-9.*-]+(:\\d{1,5})?$' })

/** The schemas of the booking page's settings. */
export const pageSettings = {
  enabled: Type.Boolean({ description: 'Whether the page is open' }),
  radius: whole(0, 30, { description: 'Pixels' }),
  scheme: oneOf<PageSettings['scheme']>({ auto: true, light: true, dark: true }),
  font: oneOf<PageFont>({ system: true, inter: true, nunito: true, atkinson: true, serif: true }),
  texts: ownTexts,
  intro: localText,
  phone: wish,
  consent: localText,
  termsUrl: webAddress,
  allowedOrigins: Type.Array(origin, { maxItems: 50, uniqueItems: true, description: 'Sites that may embed the page' }),
  afterUrl: webAddress,
  afterMode: oneOf<PageSettings['afterMode']>({ button: true, redirect: true }),
  indexed: Type.Boolean({ description: 'Whether search engines may list the page' }),
  maxSeats: whole(1, 20),
  verifyEmail: Type.Boolean({ description: 'Whether a booking counts only once the e-mail address is confirmed' }),
  proofOfWork: Type.Boolean({ description: 'Whether browsers prove work, so that programs book slowly' }),
}

/** The schemas of a service's settings on the booking page. */
export const servicePageSettings = {
  access: oneOf<Access>({ listed: true, unlisted: true, link: true, host: true, closed: true }),
  category: Type.String({ maxLength: 100 }),
  picture: webAddress,
  choosesProvider: Type.Boolean(),
  changeHours: orNull(whole(0, 24 * 365, { description: 'Hours before the start; null when changes are not allowed' })),
  reason: wish,
  feeText: localText,
  verifyEmail: oneOf<ServicePage['verifyEmail']>(
    { site: true, always: true, never: true },
    { description: 'Whether customers must confirm the e-mail address; site: as the page' },
  ),
}
/** The schema of a slug, the last part of a service's address on the booking page. */
export const slug = Type.String({ maxLength: 60, description: 'The last part of the address' })

/**
 * The routes that show, change and preview the booking page's settings, and show how often visitors took each step of a
 * booking, and customers' ratings.
 */
export const bookingPageRoutes = {
  'GET /booking-page/': {
    summary: 'Show the settings of the booking page and of each service on it',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      url: Type.String(),
      settings: Type.Object(pageSettings),
      services: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          active: Type.Boolean(),
          url: Type.String(),
          slug,
          page: Type.Object(servicePageSettings),
        }),
      ),
    }),
    ok: 200,
  },
  'POST /booking-page/edit/': {
    summary: 'Change settings of the booking page; absent ones are unchanged',
    admits: leading,
    query: none,
    body: Type.Object(Type.Partial(Type.Object(pageSettings)).properties),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /booking-page/preview/': {
    summary: 'Return the address of a preview of settings that are not saved, for a quarter of an hour',
    admits: leading,
    query: none,
    body: Type.Object(
      Type.Partial(Type.Pick(Type.Object(pageSettings), ['radius', 'scheme', 'font', 'intro', 'texts'])).properties,
    ),
    envelope: 'response',
    returns: Type.Object({ path: Type.String() }),
    ok: 200,
  },
  'POST /booking-page/service/edit/': {
    summary: 'Change how a service appears on the booking page; absent settings are unchanged',
    admits: leading,
    query: none,
    body: Type.Object({
      id: Type.String({ maxLength: 100 }),
      slug: Type.Optional(slug),
      ...Type.Partial(Type.Object(servicePageSettings)).properties,
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /booking-page/insight/': {
    summary: 'Show the steps of visitors per service, their sources, and ratings',
    admits: leading,
    query: Type.Object({ days: Type.Optional(whole(1, 400, { description: 'Days until today; 30 when absent' })) }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      services: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          viewed: Type.Integer(),
          choseTime: Type.Integer(),
          startedForm: Type.Integer(),
          booked: Type.Integer(),
          rating: orNull(Type.Number({ description: 'The average score' })),
          ratings: Type.Integer(),
        }),
      ),
      sources: Type.Array(Type.Object({ source: Type.String(), viewed: Type.Integer(), booked: Type.Integer() })),
      ratings: Type.Array(
        Type.Object({
          reservationId: Type.String(),
          score: Type.Integer(),
          comment: Type.String(),
          createdAt: calendarInstant,
        }),
      ),
    }),
    ok: 200,
  },
} as const satisfies PanelContract
