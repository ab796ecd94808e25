import assert from 'node:assert/strict'
import { pause } from './pause.ts'
import { hangLimit } from './scale.ts'
import type { ServiceProcess } from './service.ts'
import type { ListedEvent } from './test-site.ts'

/** Returns all events that `act` caused, in the order of the event feed (`GET /events/get/`). */
export async function eventsOf(service: ServiceProcess, act: () => Promise<unknown>): Promise<readonly ListedEvent[]> {
  await eventsSinceMark(service)
  await act()
  return eventsSinceMark(service)
}

const marks = new WeakMap<ServiceProcess, string>()

/**
 * Returns the feed's events since the last call. The feed may lag behind, so a customer is added and removed first:
 * once the feed contains that removal, it contains every earlier event.
 */
async function eventsSinceMark(service: ServiceProcess): Promise<readonly ListedEvent[]> {
  const marker = await comeAndGo(service)
  const events: ListedEvent[] = []
  const until = performance.now() + hangLimit
  while (!events.some((event) => event.previous?.id === marker)) {
    assert.ok(performance.now() < until, 'The feed did not tell of the last change in time.')
    const after = events.at(-1)?.seq ?? marks.get(service)
    const query = { limit: 500, ...(after === undefined ? {} : { after }) }
    const { status, body, text } = await service.call<{ response: ListedEvent[] }>('GET', '/events/get/', { query })
    assert.equal(status, 200, text)
    events.push(...body.response)
    if (body.response.length === 0) await pause()
  }
  marks.set(service, events.at(-1)?.seq ?? '')
  return events.filter((event) => (event.object ?? event.previous)?.id !== marker)
}

async function comeAndGo(service: ServiceProcess): Promise<string> {
  const body = { name: 'Passing by', email: 'passing@example.com' }
  const added = await service.call('POST', '/customers/add/', { body })
  assert.equal(added.status, 201, added.text)
  const removed = await service.call('POST', '/customers/remove/', { query: { id: added.body.id } })
  assert.equal(removed.status, 200, removed.text)
  return added.body.id
}
