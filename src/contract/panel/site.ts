import type { NoShowPolicy } from '../../catalogue/site/no-show-policy.ts'
import type { RemovalPolicy } from '../../catalogue/site/site.ts'
import type { PanelContract } from '../endpoint.ts'
import { brandColor, language, localDate, name, oneOf, orNull, typed, whole } from '../fields.ts'
import { policies, weekly } from '../resources.ts'
import { Type } from '../schema.ts'
import { leading, none, nothing } from './row.ts'

const zone = Type.String({ maxLength: 100, format: 'timezone', description: 'IANA time zone' })
const siteUrl = typed(2_000, { format: 'site-url', description: 'URL of the site, without a path' })
// A site file may have any code, since this process may not know a new currency yet.
const knownCurrency = Type.String({ maxLength: 3, format: 'known-currency', description: 'ISO 4217 code' })
const holiday = Type.Object({ from: localDate, to: localDate, name: Type.Optional(typed(200)) })

const places = Type.Array(Type.Object({ code: Type.String(), name: Type.String() }))

/** The routes that show and change the site's settings and logo, and list public holidays. */
export const siteRoutes = {
  'GET /site/': {
    summary: 'Show the settings of the site',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      name: Type.String(),
      timezone: Type.String(),
      siteUrl: Type.String(),
      language: Type.String(),
      currency: Type.String(),
      holidays: Type.Array(holiday),
      policies: Type.Object({
        removal: oneOf<RemovalPolicy>({ any: true, cancelled: true, cancelled_or_past: true, never: true }),
        listFullSlots: Type.Boolean(),
        cancelReasons: Type.Array(Type.String()),
        noShows: orNull(
          Type.Object({
            count: Type.Integer(),
            months: Type.Integer(),
            online: oneOf<NoShowPolicy['online']>({ allow: true, approve: true, refuse: true }),
          }),
        ),
        calendarPollMinutes: Type.Integer(),
        calendarMaxAgeMinutes: Type.Integer(),
      }),
      defaultWeekly: weekly,
      appearance: Type.Object({
        color: orNull(Type.String({ description: '#rrggbb' })),
        logo: orNull(Type.String({ description: 'The id under which the logo is served' })),
      }),
    }),
    ok: 200,
  },
  'POST /site/edit/': {
    summary: 'Change settings of the site; absent ones are unchanged, holidays are replaced as a whole',
    admits: leading,
    query: none,
    body: Type.Object({
      name: Type.Optional(name),
      timezone: Type.Optional(zone),
      siteUrl: Type.Optional(siteUrl),
      language: Type.Optional(language),
      currency: Type.Optional(knownCurrency),
      holidays: Type.Optional(Type.Array(holiday, { maxItems: 10_000 })),
      policies: Type.Optional(policies),
      defaultWeekly: Type.Optional(
        Type.Object(weekly.properties, { description: 'Opening hours of new providers; replaced as a whole' }),
      ),
      appearance: Type.Optional(
        Type.Object({
          color: Type.Optional(brandColor),
          logo: Type.Optional(Type.Null({ description: 'Removes it' })),
        }),
      ),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /public-holidays/': {
    summary: 'List the public holidays of a country, or the countries; stores nothing',
    admits: leading,
    query: Type.Object({
      language: Type.String({ maxLength: 35, format: 'language', description: 'Language of the names' }),
      country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code' })),
      state: Type.Optional(Type.String({ maxLength: 20 })),
      region: Type.Optional(Type.String({ maxLength: 20 })),
      year: whole(1970, 2100, { description: 'First year' }),
      years: Type.Optional(whole(1, 5, { description: 'Number of years; 1 when absent' })),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      countries: places,
      states: places,
      regions: places,
      holidays: Type.Array(Type.Object({ from: localDate, to: localDate, name: Type.String() }), {
        description: 'Without half holidays',
      }),
    }),
    ok: 200,
  },
  'POST /site/logo/': {
    summary: 'Upload the logo of the site: PNG, JPEG or SVG, at most 64 KB',
    admits: leading,
    query: none,
    body: Type.Object({
      content: Type.String({ minLength: 1, maxLength: 100_000, description: 'The file in base64' }),
    }),
    bodyLimit: 110_000,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
