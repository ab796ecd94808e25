import { dataSettings } from '../../config.ts'
import { listEndpoints } from '../../webhooks/endpoints.sql.ts'
import { type DataCommand, done } from '../framework/command.ts'

/**
 * Prints webhooks as JSON, or a line each: id, state, address, events, last success in UTC, description (`-` for none).
 */
export const webhookList: DataCommand = {
  on: 'data',
  options: { json: { description: 'Prints the list as JSON, times in Unix seconds.' } },
  settings: dataSettings,
  positionals: [],
  async run(app, { flags }) {
    const webhooks = (await listEndpoints(app.db)).map((endpoint) => {
      const { id, url, description, events, enabled, disabledBecause, failingSince, lastSuccessAt } = endpoint
      const state = enabled ? (failingSince === null ? 'enabled' : 'failing') : `disabled (${disabledBecause})`
      return { id, state, url, events, lastSuccessAt, description }
    })
    if (flags.json === true) return done(`${JSON.stringify(webhooks)}\n`)
    const lines = webhooks.map(({ id, state, url, events, lastSuccessAt, description }) =>
      [id, state, url, events.join(','), time(lastSuccessAt), description || '-'].join('\t'),
    )
    return done(lines.map((line) => `${line}\n`).join(''))
  },
}

function time(instant: number | null): string {
  return instant === null ? '-' : new Date(instant * 1000).toISOString().replace('.000', '')
}
