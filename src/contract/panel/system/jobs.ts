import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leading, none, nothing, paging } from '../row.ts'

const state = oneOf<'due' | 'running' | 'parked'>({ due: true, running: true, parked: true })
const count = Type.Integer({ minimum: 0 })
const named = Type.Object({ id: Type.String() })

/** The routes that list unfinished jobs, retry or discard them, and resume outbound jobs after a restore. */
export const jobRoutes = {
  'GET /jobs/': {
    summary:
      'List unfinished jobs, by the time at which they are due or were parked; a total of 10,001 means more than that',
    admits: leading,
    query: Type.Object({ state: Type.Optional(state), ...paging }),
    body: null,
    envelope: 'list',
    returns: Type.Object({
      id: Type.String(),
      kind: Type.String(),
      key: Type.String({ description: 'Unique among the unfinished jobs of its kind' }),
      state,
      runAt: calendarInstant,
      every: orNull(Type.Integer({ description: 'Seconds between two runs; null for a job that runs once' })),
      attempts: count,
      startedAt: orNull(calendarInstant),
      lastError: orNull(Type.String()),
      createdAt: calendarInstant,
    }),
    ok: 200,
  },
  'GET /jobs/figures/': {
    summary: 'Count the unfinished jobs, and tell whether outbound work is paused',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      due: count,
      scheduled: Type.Integer({ minimum: 0, description: 'Jobs that become due later; 10,001 means more than that' }),
      running: count,
      parked: count,
      oldestDueAge: count,
      outboundPausedAt: orNull(calendarInstant),
    }),
    ok: 200,
  },
  'POST /jobs/retry/': {
    summary: 'Run a job now that is parked or due later',
    admits: admins,
    query: none,
    body: named,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /jobs/discard/': {
    summary: 'Delete a job that is parked or due, without running it',
    admits: admins,
    query: none,
    body: named,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /jobs/resume-outbound/': {
    summary: 'Resume outbound work, which a restore has paused',
    admits: admins,
    fresh: true,
    query: none,
    body: null,
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
