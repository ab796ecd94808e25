import { formFaults, formOf } from '../catalogue/services/booking-form.ts'
import { providerSettings, reservedServiceKeys } from '../catalogue/services/service-settings.ts'
import { contactKey } from '../customers/customer-email.ts'
import { tooMuchData } from '../data.ts'
import { type Message, message } from '../messages/message.ts'
import { Refusal } from '../messages/refusal.ts'
import type { OverrideEntry, SiteFile, SiteFileFaults } from './site-file.ts'

/**
 * Returns contradictions and other faults of a JSON site file that are found before the database is read. The file must
 * have been validated by its schema.
 */
export function siteFileFaults(file: SiteFile): SiteFileFaults {
  const faults: SiteFileFaults = new Map()
  for (const [at, holiday] of (file.site?.holidays ?? []).entries()) checkOrder(faults, `site.holidays[${at}]`, holiday)
  const { services = [], providers = [], customers = [], reservations = [] } = file
  checkNames(faults, 'services', services, (service) => service.name)
  checkNames(faults, 'providers', providers, (provider) => provider.name)
  checkNames(faults, 'customers', customers, (customer) => `${customer.name} <${contactKey(customer)}>`)
  // Reservations without key and id are not compared: a customer can have several seats of one slot.
  checkNames(faults, 'reservations', reservations, () => undefined)
  for (const [at, { data, form = [] }] of services.entries()) {
    checkData(faults, `services[${at}].data`, data, reservedServiceKeys)
    for (const [place, fault] of formFaults(formOf(form))) faults.set(`services[${at}].form${place}`, fault)
  }
  for (const [at, { data }] of reservations.entries()) checkData(faults, `reservations[${at}].data`, data)
  for (const [at, { services = {} }] of providers.entries())
    for (const [key, { data }] of Object.entries(services))
      checkData(faults, `providers[${at}].services.${key}.data`, data, providerSettings)
  for (const [at, { overrides }] of providers.entries()) checkOverrides(faults, `providers[${at}].overrides`, overrides)
  return faults
}

/** Returns the refusal of a JSON site file, with all of its faults by path. */
export function siteFileRefusal(faults: SiteFileFaults): Refusal {
  const about = message('site_file_invalid', { count: faults.size })
  return new Refusal({ code: 'site_file_invalid', message: about, details: Object.fromEntries(faults) })
}

interface Entry {
  readonly key?: string
  readonly id?: string | number
}

/** Reports entries of one kind that identify the same row; entries without key and id are compared by `nameOf`. */
function checkNames<E extends Entry>(
  faults: SiteFileFaults,
  kind: string,
  entries: readonly E[],
  nameOf: (entry: E) => string | undefined,
): void {
  const seen = new Map<string, number>()
  const once = (name: string, at: number, field: string, fault: (first: number) => Message) => {
    const first = seen.get(name)
    if (first === undefined) seen.set(name, at)
    else faults.set(`${kind}[${at}].${field}`, fault(first))
  }
  for (const [at, entry] of entries.entries()) {
    const { key, id } = entry
    if (key !== undefined) once(`key ${key}`, at, 'key', (first) => message('duplicate_key', { kind, at: first }))
    if (id !== undefined) once(`id ${id}`, at, 'id', (first) => message('duplicate_id', { kind, at: first }))
    const name = key === undefined && id === undefined ? nameOf(entry) : undefined
    if (name === undefined) continue
    once(`name ${name}`, at, 'name', (first) => message('duplicate_name', { kind, at: first }))
  }
}

function checkData(
  faults: SiteFileFaults,
  path: string,
  data: SiteFileData = {},
  reserved: ReadonlySet<string> = new Set(),
): void {
  const fault = tooMuchData(data)
  if (fault) faults.set(path, fault)
  // Null deletes a key, so that one which was stored before its name was reserved can be removed.
  for (const [key, value] of Object.entries(data))
    if (value !== null && reserved.has(key)) faults.set(`${path}.${key}`, message('reserved_data_key'))
}

type SiteFileData = Readonly<Record<string, unknown>> | undefined

/** Reports the faults of a provider's overrides; `path` is their place in the JSON site file or the request. */
export function checkOverrides(faults: SiteFileFaults, path: string, overrides: readonly OverrideEntry[] = []): void {
  for (const [at, { date, from, to, hours, slot }] of overrides.entries()) {
    const here = `${path}[${at}]`
    if (hours === undefined && slot === undefined) faults.set(here, message('override_without_effect'))
    if (date === undefined && from !== undefined && to !== undefined) checkOrder(faults, here, { from, to })
    else if (date === undefined || from !== undefined || to !== undefined) {
      faults.set(here, message('override_without_dates'))
    }
  }
}

function checkOrder(
  faults: SiteFileFaults,
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  if (from > to) faults.set(`${path}.to`, message('ends_before_start', { date: from }))
}
