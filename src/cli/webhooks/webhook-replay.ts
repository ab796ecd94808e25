import { dataSettings } from '../../config.ts'
import { findCursorBefore } from '../../webhooks/deliveries.sql.ts'
import { type DataCommand, done } from '../framework/command.ts'
import { performCommand } from '../framework/perform.ts'

const span = /^([1-9]\d{0,4})([hd])$/

/**
 * Makes the running service send past events to a webhook endpoint again: the logged events since a given instant, of
 * the types to which the endpoint subscribes.
 */
export const webhookReplay: DataCommand = {
  on: 'data',
  options: {
    since: {
      placeholder: '24h',
      description: 'From when on: hours (24h) or days (7d) ago, or an instant such as 2026-11-20T09:00:00Z; required.',
    },
  },
  settings: dataSettings,
  positionals: ['ID'],
  faults: ({ since }) =>
    typeof since === 'string' && instantOf(since, 0) !== undefined
      ? []
      : ['--since is needed: 24h, 7d, or 2026-11-20T09:00:00Z.'],
  async run(app, { flags, positionals: [id = ''] }) {
    const since = instantOf(String(flags.since), app.now()) ?? app.now()
    const after = await findCursorBefore(app.db, since)
    await performCommand(app, 'webhooks.replay.begin', { endpointId: id, after }, { by: 'webhook replay' })
    return done(`The running service sends the events since ${new Date(since * 1000).toISOString()} again.\n`)
  },
}

function instantOf(text: string, now: number): number | undefined {
  const [, count = '', unit = ''] = span.exec(text) ?? []
  if (count !== '') return now - Number(count) * (unit === 'h' ? 3_600 : 86_400)
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(text) ? Date.parse(text) / 1000 : Number.NaN
  return Number.isFinite(at) && at >= 0 ? at : undefined
}
