import type { PanelContract } from '../endpoint.ts'
import { Type } from '../schema.ts'
import { admins, none } from './row.ts'

const changes = Type.Object({
  added: Type.Array(Type.String()),
  changed: Type.Array(Type.String()),
  left: Type.Array(Type.String()),
})

const report = Type.Object({
  site: Type.Array(Type.String(), { description: 'The settings of the site that change' }),
  services: changes,
  providers: changes,
  customers: changes,
  reservations: changes,
})

/**
 * The schema of a request with a site file (a JSON file that describes the site) as text. The text is parsed later, so
 * that a fault can name its line.
 */
const file = Type.Object({ text: Type.String({ maxLength: 16_000_000 }) })
const bodyLimit = 20_000_000

const flag = (description: string) =>
  Type.Optional(Type.Unsafe<boolean>({ type: 'boolean', description, reads: 'flag' }))

/** The routes that export and import the site as one file. */
export const siteFileRoutes = {
  'POST /site-file/check/': {
    summary: 'Return what applying a site file would add, change and leave unchanged; stores nothing',
    admits: admins,
    query: none,
    body: file,
    bodyLimit,
    envelope: 'response',
    returns: report,
    ok: 200,
  },
  'POST /site-file/apply/': {
    summary: 'Make the site match a site file, all or nothing; it removes nothing',
    admits: admins,
    fresh: true,
    query: none,
    body: file,
    bodyLimit,
    envelope: 'response',
    returns: report,
    ok: 200,
  },
  'GET /site-file/': {
    summary: 'Download the site as a site file',
    admits: admins,
    fresh: true,
    query: Type.Object({
      customers: flag('With the customers'),
      reservations: flag('With the reservations, and the customers they need'),
    }),
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
} as const satisfies PanelContract
