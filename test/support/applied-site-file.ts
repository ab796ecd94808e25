import assert from 'node:assert/strict'
import { sentences } from '../../src/messages/sentence.ts'
import type { operations } from '../../src/operations.ts'
import type { OpenStorage } from '../../src/server/open.ts'
import type { SiteFile, SiteReport } from '../../src/site-file/site-file.ts'
import { contextWith, type DatabaseKind, withStorage } from './databases.ts'

type Storage = OpenStorage<typeof operations>
const table = new URL('../../src/operations.ts', import.meta.url)

/** A site file with one service, provider, customer and reservation. */
export const clinic: SiteFile = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin' },
  services: [
    { key: 'checkup', name: 'Check-up', durationMinutes: 30, bufferAfterMinutes: 10, limits: { perProviderDay: 8 } },
  ],
  providers: [
    {
      id: 4,
      name: 'Ana Ruiz',
      restrictServices: true,
      allowedServices: ['checkup'],
      overrides: [{ date: '2027-12-24', slot: { price: 6000 } }],
      services: { checkup: { durationMinutes: 45 } },
    },
  ],
  customers: [{ key: 'jo', name: 'Jo Park', email: 'jo@example.com' }],
  reservations: [{ service: 'checkup', provider: 4, customer: 'jo', start: '2027-12-01T09:00' }],
}

/** Calls `work` with the storage of a new site on an empty database of this kind. */
export function onFreshSite(kind: DatabaseKind, work: (storage: Storage) => Promise<void>): Promise<void> {
  return withStorage<typeof operations>(kind, table, async (storage) => {
    await storage.perform('site.prepare', { siteUrl: '' }, contextWith())
    await work(storage)
  })
}

/** Applies a site file, which must be accepted; returns what it changed. */
export async function apply(storage: Storage, file: SiteFile, { dryRun = false } = {}): Promise<SiteReport> {
  const outcome = await storage.perform('site.apply', file, contextWith({ dryRun }))
  assert.ok('ok' in outcome, JSON.stringify(outcome))
  return outcome.ok
}

/** Applies a site file that must be refused; returns the faults by path. */
export async function faultsOf(storage: Storage, file: SiteFile): Promise<Readonly<Record<string, string>>> {
  const outcome = await storage.perform('site.apply', file, contextWith())
  assert.ok('refused' in outcome, JSON.stringify(outcome))
  assert.equal(outcome.refused.code, 'site_file_invalid')
  return sentences(outcome.refused.details ?? {})
}

/** Returns the number of rows of a table. */
export async function count(
  storage: Storage,
  name: 'service' | 'provider' | 'customer' | 'reservation' | 'event' | 'occupancy',
) {
  return (await storage.db.build.selectFrom(name).selectAll().execute()).length
}
