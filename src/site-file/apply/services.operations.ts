import { formOf } from '../../catalogue/services/booking-form.ts'
import { defaultServiceSettings, type Service, shownServiceInFull } from '../../catalogue/services/service.ts'
import { mergeSettings } from '../../catalogue/services/service-settings.ts'
import { insertService, updateService, updateServiceKey } from '../../catalogue/services/services.sql.ts'
import { mergeData, tooMuchMerged } from '../../data.ts'
import type { Tx } from '../../db/perform/app.ts'
import type { ServiceEntry, SiteFileChanges, SiteFileFaults } from '../site-file.ts'
import { matchRows, type PlannedRow, writePlanned } from './match.operations.ts'

/** The services before the file is applied. */
interface Known {
  readonly services: readonly Service[]
  /** The ids of services by the keys that JSON site files give them. */
  readonly keys: ReadonlyMap<string, string>
}

/**
 * Returns the service before and after for each entry of a JSON site file, changed or not, without writing anything.
 */
export function planServices(
  tx: Tx,
  entries: readonly ServiceEntry[],
  known: Known,
  faults: SiteFileFaults,
): PlannedRow<Service>[] {
  const keyOf = new Map([...known.keys].map(([key, id]) => [id, key]))
  const rows = known.services.map(({ id, name }) => ({ id, key: keyOf.get(id) ?? null, name }))
  const matches = matchRows({ kind: 'services', entries, rows }, (entry) => entry.name, faults)
  const byId = new Map(known.services.map((service) => [service.id, service]))
  return entries.map((entry, at) => {
    const match = matches[at]
    const before = match === undefined ? undefined : byId.get(match)
    const after = serviceAfter(entry, before ?? newService(entry.id ?? tx.newId('service')))
    const fault = tooMuchMerged(before?.data ?? {}, after.data)
    if (fault) faults.set(`services[${at}].data`, fault)
    const newKey = before !== undefined && entry.key !== undefined && keyOf.get(before.id) !== entry.key
    return { before, after, key: entry.key, newKey }
  })
}

/**
 * Writes the new and changed services, each with an event. A change of only the key that identifies the service in the
 * JSON site file has no event.
 */
export function writeServices(tx: Tx, planned: readonly PlannedRow<Service>[]): Promise<SiteFileChanges> {
  return writePlanned(tx, planned, {
    created: 'service.created',
    updated: 'service.updated',
    shown: shownServiceInFull,
    insert: (service, key) => insertService(tx.db, service, { key, ordinal: tx.newOrdinal(), now: tx.now }),
    update: (service) => updateService(tx.db, service, tx.now),
    rename: ({ id }, key) => updateServiceKey(tx.db, id, key),
  })
}

function newService(id: string): Service {
  return { id, name: '', description: '', color: null, settings: defaultServiceSettings, data: {}, form: [] }
}

function serviceAfter(entry: ServiceEntry, before: Service): Service {
  const { id, key, name, description, color, data, form, ...settings } = entry
  return {
    ...before,
    name,
    description: description ?? before.description,
    color: color === undefined ? before.color : color,
    settings: mergeSettings(before.settings, settings),
    data: mergeData(before.data, data ?? {}),
    form: form ? formOf(form) : before.form,
  }
}
