import { requireService } from '../catalogue/catalogue.operations.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import { defaultServiceSettings, type Service } from '../catalogue/services/service.ts'
import { mergeSettings, type SettingsChange } from '../catalogue/services/service-settings.ts'
import type { ReadDatabase } from '../db/database.ts'
import { slotsOf } from '../scheduling/listing/slot-list.ts'
import { openSlots } from '../scheduling/slots.ts'
import { parseDate } from '../scheduling/time/date.ts'
import { dayOf, localDay } from '../scheduling/time/zone.ts'
import { loadPlan } from './plan.sql.ts'
import { bucketSeconds } from './slot-id.ts'

export interface PreviewQuery {
  /** The id of the service whose settings are changed; undefined for a service that is not saved yet. */
  readonly id: string | undefined
  /** The local date (`YYYY-MM-DD`) to preview, in the site's time zone; tomorrow when undefined. */
  readonly date: string | undefined
  readonly settings: SettingsChange
  readonly now: number
}

const notYet: Service = {
  id: 's_preview',
  name: '',
  description: '',
  color: null,
  settings: defaultServiceSettings,
  data: {},
  form: [],
}

/** Lists the slots that a day would have with changed settings of a service; the settings are not stored. */
export function previewDay(db: ReadDatabase, { id, date, settings, now }: PreviewQuery) {
  return db.snapshot(async (at) => {
    const catalogue = await loadCatalogue(at)
    const kept = id === undefined ? notYet : requireService(catalogue, id)
    const service = { ...kept, settings: mergeSettings(kept.settings, settings) }
    const zone = catalogue.site.timezone
    const tomorrow = localDay(zone, localDay(zone, now).end).date
    const day = dayOf(zone, parseDate(date ?? tomorrow) ?? 0)
    const question = { from: Math.max(day.start, now), until: day.end, now }
    const request = { catalogue, services: [service], ...question, bucket: Math.floor(now / bucketSeconds) }
    const slots = question.from < question.until ? slotsOf(openSlots(await loadPlan(at, request), question)) : []
    const listed = new Set(slots.map(({ providerId }) => providerId))
    return {
      date: date ?? tomorrow,
      zone,
      providers: catalogue.providers
        .filter((provider) => listed.has(provider.id))
        .map((provider) => ({ id: provider.id, name: provider.name })),
      slots: slots.map(({ start, end, providerId, bookable, eligibleProviderIds, reservationsCount }) => ({
        start,
        end,
        providerId,
        bookable,
        eligible: eligibleProviderIds.length,
        reservations: reservationsCount,
      })),
    }
  })
}
