import { request } from 'node:http'
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
  const target = new URL(url)
  const all = ['Host', host, 'Connection', 'close', ...headers]
  if (body !== '') all.push('Content-Length', String(Buffer.byteLength(body)))
  return new Promise((answered, failed) => {
    const asking = request(target, { method, headers: all }, (response) => {
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
        answered({
          status: response.statusCode ?? 0,
          headers: received,
          body: json ? JSON.parse(text) : undefined,
          text,
        })
      })
    })
    asking.on('error', failed)
    asking.end(body)
  })
}
