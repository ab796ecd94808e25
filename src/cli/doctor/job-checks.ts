import { countDestinations } from '../../calendars/destinations/destinations.sql.ts'
import { currentCalendarFigures } from '../../calendars/sync/sync.operations.ts'
import { jobFigures } from '../../jobs/list.ts'
import { findOutboundPause } from '../../jobs/outbound-pause.ts'
import { message } from '../../messages/message.ts'
import { listEndpoints } from '../../webhooks/endpoints.sql.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, ok, warn } from './check.ts'

/** Checks that no job is parked (failed too often), and that outbound jobs are not paused since a restore. */
export async function jobChecks({ db, now }: CommandApp): Promise<Check[]> {
  const { parked } = await jobFigures(db, now())
  const paused = await findOutboundPause(db)
  return [
    ...(paused === null ? [] : [warn('check_outbound', message('outbound_paused'))]),
    ...(parked === 0 ? [] : [warn('check_jobs', message('jobs_parked', { count: parked }))]),
  ]
}

/** Checks that no webhook is failing or was disabled by the service. */
export async function webhookChecks({ db }: CommandApp): Promise<Check[]> {
  const endpoints = await listEndpoints(db)
  if (endpoints.length === 0) return []
  const disabled = endpoints.filter(({ enabled, disabledBecause }) => !enabled && disabledBecause !== 'user')
  const failing = endpoints.filter(({ enabled, failingSince }) => enabled && failingSince !== null)
  const names = (of: typeof endpoints) => of.map(({ description, url }) => description || url)
  if (disabled.length > 0) return [warn('check_webhooks', message('webhooks_disabled', { names: names(disabled) }))]
  if (failing.length > 0) return [warn('check_webhooks', message('webhooks_failing', { names: names(failing) }))]
  return [ok('check_webhooks', message('webhooks_answer', { count: endpoints.length }))]
}

/**
 * Checks the calendars to which providers' reservations are written: each was compared with the reservations
 * successfully, and no event of a reservation that has not ended failed to be written.
 */
export async function destinationChecks({ db, now }: CommandApp): Promise<Check[]> {
  const { chosen, failing } = await countDestinations(db, now())
  if (chosen === 0) return []
  if (failing > 0) return [warn('check_destinations', message('destinations_failing', { count: failing }))]
  return [ok('check_destinations', message('destinations_written', { count: chosen }))]
}

/**
 * Checks that connected calendars were read recently enough for their providers to be bookable, and that the last
 * reading of each calendar succeeded.
 */
export async function calendarChecks({ db, now }: CommandApp): Promise<Check[]> {
  const { connected, failing, tooOld } = await currentCalendarFigures(db, now())
  if (connected === 0) return []
  if (tooOld > 0) return [warn('check_calendars', message('calendars_too_old', { count: tooOld }))]
  if (failing > 0) return [warn('check_calendars', message('calendars_failing', { count: failing }))]
  return [ok('check_calendars', message('calendars_read', { count: connected }))]
}
