import { type ClientRequest, request } from 'node:http'
import type { AnyBody, ApiResponse } from './service.ts'

/**
 * Sends a request with these headers, alternating names and values, in addition to Host, `Connection: close` and, if
 * there is a body, Content-Length. A name may occur twice. `host` is the value of Host.
 */
export function askRaw(
  url: string,
  method: string,
  headers: readonly string[],
  body = '',
  host = new URL(url).host,
): Promise<ApiResponse<AnyBody>> {
  const { asking, answered } = open(url, method, { headers, host, length: Buffer.byteLength(body) })
  asking.end(body)
  return answered
}

/**
 * Sends a request like `askRaw`, but the second half of its body only after `meanwhile`. Resolves to the response to
 * the whole request.
 */
export async function askInHalves(
  url: string,
  method: string,
  headers: readonly string[],
  { body, meanwhile }: { readonly body: string; readonly meanwhile: () => Promise<void> },
): Promise<ApiResponse<AnyBody>> {
  const { asking, answered } = open(url, method, { headers, host: new URL(url).host, length: Buffer.byteLength(body) })
  const middle = Math.floor(body.length / 2)
  asking.write(body.slice(0, middle))
  await meanwhile()
  asking.end(body.slice(middle))
  return answered
}

function open(
  url: string,
  method: string,
  { headers, host, length }: { readonly headers: readonly string[]; readonly host: string; readonly length: number },
): { asking: ClientRequest; answered: Promise<ApiResponse<AnyBody>> } {
  const all = ['Host', host, 'Connection', 'close', ...headers]
  if (length > 0) all.push('Content-Length', String(length))
  const asking = request(new URL(url), { method, headers: all })
  const answered = new Promise<ApiResponse<AnyBody>>((done, failed) => {
    asking.on('error', failed)
    asking.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('error', failed)
      response.on('end', () => {
        const received = new Headers()
        for (let at = 0; at < response.rawHeaders.length; at += 2)
          received.append(response.rawHeaders[at] ?? '', response.rawHeaders[at + 1] ?? '')
        const json = received.get('content-type')?.startsWith('application/json') && text !== ''
        done({
          status: response.statusCode ?? 0,
          headers: received,
          body: json ? JSON.parse(text) : undefined,
          text,
        })
      })
    })
  })
  return { asking, answered }
}
