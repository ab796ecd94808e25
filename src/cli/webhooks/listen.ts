import { setTimeout } from 'node:timers/promises'
import { dataSettings } from '../../config.ts'
import { type Cursor, findNewestSettled, parseSeq, readFeed } from '../../db/log/event-log.ts'
import { feedKinds, type LoggedEvent } from '../../history/event.ts'
import { parseNetworks } from '../../http/outbound/address.ts'
import { OutboundClient } from '../../http/outbound/outbound-client.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import { isSubscribed, isSubscription } from '../../webhooks/event-types.ts'
import { payloadOf } from '../../webhooks/payload.ts'
import { newWebhookSecret, signedHeaders } from '../../webhooks/signature.ts'
import { type CommandCaller, type DataCommand, done } from '../framework/command.ts'

const pollMilliseconds = 500
const timeout = 15_000
const kinds = [...feedKinds, 'token']

/** For local development: forwards new events to a program on this machine, up to `--count` or until interrupted. */
export const listen: DataCommand = {
  on: 'data',
  endless: true,
  options: {
    'forward-to': { placeholder: 'URL', description: 'Address on this machine; required.' },
    events: {
      placeholder: 'LIST',
      description: 'Event types with commas between them, such as reservation.*; all when absent.',
    },
    count: { placeholder: 'N', description: 'Ends after so many events.' },
  },
  settings: dataSettings,
  positionals: [],
  faults: ({ 'forward-to': to, events, count }) => [
    ...(typeof to === 'string' && isLocal(to)
      ? []
      : ['--forward-to is needed: an address on this machine, such as http://127.0.0.1:3000/hook.']),
    ...(typeof events !== 'string' || events.split(',').every(isSubscription)
      ? []
      : ['--events must be event types with commas between them.']),
    ...(count === undefined || /^[1-9]\d{0,6}$/.test(String(count)) ? [] : ['--count must be a whole number from 1.']),
  ],
  async run(app, { flags, caller }) {
    // The position is read before the secret is printed, so that no event after the output is missed.
    let after: Cursor = await findNewestSettled(app.db)
    const secret = newWebhookSecret()
    await caller.write(`Secret: ${secret}\n`)
    const client = new OutboundClient({ allowed: parseNetworks('127.0.0.0/8,::1') })
    const forwarding = { client, secret, url: String(flags['forward-to']), now: app.now, caller }
    const wanted = flags.events === undefined ? ['*'] : String(flags.events).split(',')
    let left = flags.count === undefined ? Number.POSITIVE_INFINITY : Number(flags.count)
    try {
      while (left > 0) {
        const { events } = await readFeed(app.db, { after, limit: 100, kinds })
        for (const event of events.filter(({ type }) => isSubscribed(wanted, type)).slice(0, left)) {
          await forward(forwarding, event)
          left -= 1
        }
        after = parseSeq(events.at(-1)?.seq ?? '') ?? after
        // Writing fails once the caller has disconnected, which ends the command.
        await caller.write('')
        if (left > 0) await setTimeout(pollMilliseconds)
      }
    } finally {
      await client.close()
    }
    return done('')
  },
}

interface Forwarding {
  readonly client: OutboundClient
  readonly secret: string
  readonly url: string
  readonly caller: CommandCaller
  now(): number
}

async function forward({ client, secret, url, caller, now }: Forwarding, event: LoggedEvent): Promise<void> {
  const body = JSON.stringify(payloadOf(event))
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders({ id: event.id, timestamp: now(), body }, [secret]),
  }
  const answer = await client.send({ url, method: 'POST', headers, body, timeout }).then(
    ({ status }) => `HTTP ${status}`,
    (error: unknown) => (error instanceof OutboundError ? error.message : String(error)),
  )
  await caller.write(`${event.type} ${event.objectId}: ${answer}\n`)
}

function isLocal(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'http:' && /^(?:127\.[\d.]+|localhost|\[::1\])$/.test(url.hostname)
}
