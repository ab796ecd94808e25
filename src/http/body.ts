import type { IncomingMessage } from 'node:http'
import { Refusal } from '../domain/refusal.ts'
import { parseObject } from './json.ts'

const usual = 256 * 1024

/** The JSON object that the request carries; refuses another content type, an encoding, more than `largest` bytes. */
export async function readBody(request: IncomingMessage, largest = usual): Promise<Readonly<Record<string, unknown>>> {
  const { headers } = request
  if (!isJson(headers['content-type'])) {
    throw new Refusal('invalid_json', 'Send the body as JSON, with the header Content-Type: application/json.')
  }
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new Refusal('invalid_json', 'Send the body as it is, without Content-Encoding.')
  }
  if (Number(headers['content-length'] ?? 0) > largest) throw tooLarge(largest)
  return parseObject(await readBytes(request, largest))
}

async function readBytes(request: IncomingMessage, largest: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Not destroyed on leaving early: the refusal still has to go out on this connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue
    size += chunk.length
    if (size > largest) throw tooLarge(largest)
    chunks.push(chunk)
  }
  const [only] = chunks
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, size)
}

function tooLarge(largest: number): Refusal {
  return new Refusal('body_too_large', `The body is larger than ${Math.floor(largest / 1024)} KB; send less.`)
}

/** `application/json`, in any case, with no charset but UTF-8. */
function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
  })
}
