import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'

/** One message of the panel's stream of live changes: the kinds, providers and days of the changed objects. */
interface LiveMessage {
  readonly kinds: readonly string[]
  readonly providerIds: readonly number[]
  readonly days: readonly string[]
}

/**
 * A connection to the panel's stream of live changes. `words` are the messages received so far; `ended` resolves when
 * the connection has closed.
 */
export class LiveScreen {
  readonly words: LiveMessage[] = []
  readonly ended: Promise<unknown>
  readonly #response: IncomingMessage
  #text = ''

  constructor(response: IncomingMessage) {
    this.#response = response
    this.ended = once(response, 'close')
    response.setEncoding('utf8').on('data', (part: string) => {
      const messages = (this.#text + part).split('\n\n')
      this.#text = messages.pop() ?? ''
      for (const message of messages) if (message.startsWith('data: ')) this.words.push(JSON.parse(message.slice(6)))
    })
  }

  /**
   * Resolves to the first message about a kind of objects, such as `reservation`; waits for the message if necessary.
   */
  async receives(kind: string): Promise<LiveMessage> {
    for (;;) {
      const word = this.words.find(({ kinds }) => kinds.includes(kind))
      if (word) return word
      await once(this.#response, 'data')
    }
  }

  close(): void {
    this.#response.destroy()
  }
}

/** Requests the panel's stream of live changes of the service at a URL, on a connection of its own. */
export function requestLiveScreen(url: string, cookie: string | undefined): ClientRequest {
  const headers = { Cookie: `daybook-loopback=${cookie}`, 'Sec-Fetch-Site': 'same-origin' }
  return request(`${url}/admin/api/live/`, { headers, agent: false }).end()
}

/** Opens the panel's stream of live changes; every change that is committed from then on is sent. */
export async function openLiveScreen(url: string, cookie: string | undefined): Promise<LiveScreen> {
  const [response]: IncomingMessage[] = await once(requestLiveScreen(url, cookie), 'response')
  assert.ok(response)
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8')
  const screen = new LiveScreen(response)
  // The service sends every change that is committed after the first heartbeat.
  await once(response, 'data')
  return screen
}
