import { meetingLinkFault } from '../../catalogue/providers/meeting-link.ts'
import {
  type DateOverride,
  newProvider,
  type ProviderRecord,
  shownProviderInFull,
} from '../../catalogue/providers/provider.ts'
import {
  insertProvider,
  saveProviderService,
  updateProvider,
  updateProviderKey,
} from '../../catalogue/providers/providers.sql.ts'
import { mergeProviderService } from '../../catalogue/services/service-settings.ts'
import type { Site } from '../../catalogue/site/site.ts'
import { mergeData, sameJson, tooMuchMerged } from '../../data.ts'
import type { Tx } from '../../db/perform/app.ts'
import { type Message, message } from '../../messages/message.ts'
import type { OverrideEntry, ProviderEntry, SiteFileChanges, SiteFileFaults } from '../site-file.ts'
import { matchRows, type PlannedRow, writePlanned } from './match.operations.ts'

/**
 * The data on which provider entries depend: the providers before the file is applied, and the site and services after.
 */
interface Known {
  readonly providers: readonly ProviderRecord[]
  /** The ids of providers by the keys that JSON site files give them. */
  readonly keys: ReadonlyMap<string, number>
  /** The highest provider id ever assigned. */
  readonly last: number
  /** The site after its settings are applied: new providers get its zone and default hours. */
  readonly site: Site
  /** Returns the id of the service with this id, or with this key from a JSON site file. */
  serviceId(reference: string): string | undefined
}

/**
 * Returns the provider before and after for each entry of a JSON site file, changed or not, without writing anything.
 */
export function planProviders(
  entries: readonly ProviderEntry[],
  known: Known,
  faults: SiteFileFaults,
): PlannedRow<ProviderRecord>[] {
  const keyOf = new Map([...known.keys].map(([key, id]) => [id, key]))
  const rows = known.providers.map(({ id, name }) => ({ id, key: keyOf.get(id) ?? null, name }))
  const matches = matchRows({ kind: 'providers', entries, rows }, (entry) => entry.name, faults)
  const byId = new Map(known.providers.map((provider) => [provider.id, provider]))
  let last = Math.max(known.last, ...entries.map((entry) => entry.id ?? 0))
  return entries.map((entry, at) => {
    const match = matches[at]
    const before = match === undefined ? undefined : byId.get(match)
    const base = before ?? newProvider(entry.id ?? ++last, known.site)
    const after = providerAfter(entry, base, { path: `providers[${at}]`, serviceId: known.serviceId, faults })
    const newKey = before !== undefined && entry.key !== undefined && keyOf.get(before.id) !== entry.key
    return { before, after, key: entry.key, newKey }
  })
}

/**
 * Writes the new and changed providers with their settings per service, each with an event unless only its key changed.
 */
export function writeProviders(tx: Tx, planned: readonly PlannedRow<ProviderRecord>[]): Promise<SiteFileChanges> {
  return writePlanned(tx, planned, {
    created: 'provider.created',
    updated: 'provider.updated',
    shown: shownProviderInFull,
    insert: async (provider, key) => {
      await insertProvider(tx.db, provider, { key, now: tx.now })
      await writeServiceSettings(tx, undefined, provider)
    },
    update: async (provider, before) => {
      await updateProvider(tx.db, provider, tx.now)
      await writeServiceSettings(tx, before, provider)
    },
    rename: ({ id }, key) => updateProviderKey(tx.db, id, key),
  })
}

async function writeServiceSettings(tx: Tx, before: ProviderRecord | undefined, after: ProviderRecord): Promise<void> {
  for (const [serviceId, settings] of after.services) {
    const kept = { settings, data: after.serviceData.get(serviceId) ?? {} }
    const was = { settings: before?.services.get(serviceId), data: before?.serviceData.get(serviceId) ?? {} }
    if (sameJson(kept, was)) continue
    await saveProviderService(tx.db, { providerId: after.id, serviceId, kept })
  }
}

interface Place {
  readonly path: string
  readonly serviceId: Known['serviceId']
  readonly faults: SiteFileFaults
}

function providerAfter(entry: ProviderEntry, before: ProviderRecord, place: Place): ProviderRecord {
  return {
    ...before,
    name: entry.name,
    email: entry.email ?? before.email,
    timezone: entry.timezone ?? before.timezone,
    restrictServices: entry.restrictServices ?? before.restrictServices,
    allowedServices: allowed(entry, place) ?? before.allowedServices,
    weekly: entry.weekly ?? before.weekly,
    overrides: entry.overrides?.map(overrideOf) ?? before.overrides,
    meetingLink: linkOf(entry, place) ?? before.meetingLink ?? '',
    doubleBooking: entry.doubleBooking ?? before.doubleBooking ?? false,
    ...servicesAfter(entry, before, place),
  }
}

function linkOf({ meetingLink }: ProviderEntry, { path, faults }: Place): string | undefined {
  const fault = meetingLinkFault(meetingLink ?? '')
  if (fault) faults.set(`${path}.meetingLink`, fault)
  return meetingLink
}

function allowed({ allowedServices }: ProviderEntry, { path, serviceId, faults }: Place): string[] | undefined {
  const ids = allowedServices?.map((reference, at) => {
    const id = serviceId(reference)
    if (id === undefined) faults.set(`${path}.allowedServices[${at}]`, unknownService(reference))
    return id ?? ''
  })
  return ids && [...new Set(ids)]
}

function servicesAfter(
  entry: ProviderEntry,
  before: ProviderRecord,
  { path, serviceId, faults }: Place,
): Pick<ProviderRecord, 'services' | 'serviceData'> {
  const services = new Map(before.services)
  const serviceData = new Map(before.serviceData)
  for (const [reference, { data = {}, ...settings }] of Object.entries(entry.services ?? {})) {
    const id = serviceId(reference)
    if (id === undefined) {
      faults.set(`${path}.services.${reference}`, unknownService(reference))
      continue
    }
    const merged = mergeProviderService({ settings: services.get(id) ?? {}, data: {} }, { ...settings })
    if ('kept' in merged) services.set(id, merged.kept.settings)
    else
      for (const [key, fault] of Object.entries(merged.invalid))
        faults.set(`${path}.services.${reference}.${key}`, fault)
    const stored = serviceData.get(id) ?? {}
    const mergedData = mergeData(stored, data)
    const tooMuch = tooMuchMerged(stored, mergedData)
    if (tooMuch) faults.set(`${path}.services.${reference}.data`, tooMuch)
    serviceData.set(id, mergedData)
  }
  return { services, serviceData }
}

function unknownService(reference: string): Message {
  return message('unknown_service_reference', { reference })
}

function overrideOf({ date, from, to, hours, slot }: OverrideEntry): DateOverride {
  return { from: from ?? date ?? '', to: to ?? date ?? '', ...(hours && { hours }), ...(slot && { slot }) }
}
