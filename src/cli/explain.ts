import { explainAvailability } from '../availability/availability.operations.ts'
import { shownExplanation } from '../availability/explanation.ts'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { ProviderRecord } from '../catalogue/providers/provider.ts'
import { listProviderKeys } from '../catalogue/providers/providers.sql.ts'
import type { Service } from '../catalogue/services/service.ts'
import { listServiceKeys } from '../catalogue/services/services.sql.ts'
import { dataSettings } from '../config.ts'
import type { ReadDatabase } from '../db/database.ts'
import { message } from '../messages/message.ts'
import { Refusal, refusal } from '../messages/refusal.ts'
import { toInstant, wallTime } from '../scheduling/time/zone.ts'
import { type DataCommand, done } from './framework/command.ts'

/**
 * Prints, for every booking rule, whether the rule allows a given slot and, if not, why. The rules are in the order of
 * the API's response.
 */
export const explain: DataCommand = {
  on: 'data',
  options: {
    service: { placeholder: 'S', description: 'The service, by id, key or name; required.' },
    provider: { placeholder: 'P', description: 'The provider, by id, key or name; required.' },
    start: {
      placeholder: 'T',
      description: 'The start: 2026-12-01T09:00 in the zone of the provider, or Unix seconds; required.',
    },
    json: { description: 'Prints the response of the API.' },
  },
  settings: dataSettings,
  positionals: [],
  faults: ({ service, provider, start }) => [
    ...(typeof service === 'string' ? [] : ['--service is needed.']),
    ...(typeof provider === 'string' ? [] : ['--provider is needed.']),
    ...(typeof start === 'string' && instant('UTC', start) !== undefined
      ? []
      : ['--start is needed: a local time such as 2026-12-01T09:00, or Unix seconds.']),
  ],
  async run(app, { flags }) {
    const { service, provider } = await named(app.db, String(flags.service), String(flags.provider))
    const start = instant(provider.timezone, String(flags.start)) ?? 0
    const now = app.now()
    const asked = { serviceId: service.id, providerId: provider.id, start, now }
    const explained = await explainAvailability(app.db, asked)
    if ('unknown' in explained) throw refusal('service_not_found')
    const shown = shownExplanation(explained)
    return done(flags.json === true ? `${JSON.stringify(shown)}\n` : text(shown, service, provider))
  },
}

function instant(zone: string, typed: string): number | undefined {
  return /^\d{1,11}$/.test(typed) ? Number(typed) : toInstant(zone, typed.replace(' ', 'T'))
}

async function named(
  db: ReadDatabase,
  serviceName: string,
  providerName: string,
): Promise<{ service: Service; provider: ProviderRecord }> {
  const catalogue = await loadCatalogue(db)
  const serviceId = (await listServiceKeys(db)).get(serviceName) ?? serviceName
  const providerId = (await listProviderKeys(db)).get(providerName) ?? Number(providerName)
  const service = catalogue.service(serviceId) ?? only(catalogue.services, serviceName)
  const provider = catalogue.provider(providerId) ?? only(catalogue.providers, providerName)
  if (!service)
    throw new Refusal({ code: 'service_not_found', message: message('service_name_ambiguous', { name: serviceName }) })
  if (!provider)
    throw new Refusal({
      code: 'provider_not_found',
      message: message('provider_name_ambiguous', { name: providerName }),
    })
  return { service, provider }
}

function only<Row extends { readonly name: string }>(rows: readonly Row[], name: string): Row | undefined {
  const alike = rows.filter((row) => row.name.toLowerCase() === name.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

function text(
  explained: ReturnType<typeof shownExplanation>,
  service: Service,
  { name, timezone }: ProviderRecord,
): string {
  const [from, until] = [wallTime(timezone, explained.start), wallTime(timezone, explained.end)]
  const no = explained.rules.find(({ ok }) => !ok)
  const lines = [
    `${service.name} with ${name}, ${from.replace('T', ' ')} to ${until.slice(11)} (${timezone})`,
    ...explained.rules.flatMap(({ rule, ok, sentence, setting, value }) => [
      `${ok ? 'yes' : 'no '}  ${rule.padEnd(17)}  ${sentence}`,
      ...(ok ? [] : [`     ${''.padEnd(17)}  ${setting}: ${JSON.stringify(value)}`]),
    ]),
    no ? `It cannot be booked. ${no.sentence}` : 'It can be booked.',
  ]
  return lines.map((line) => `${line}\n`).join('')
}
