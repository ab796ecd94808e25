import type { IncomingMessage } from 'node:http'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { parseObject } from './json.ts'

const defaultMaxBytes = 256 * 1024

/**
 * Reads the request's body as a JSON object. Throws a refusal for another content type or encoding, for more than
 * `maxBytes` bytes, and for invalid JSON.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes = defaultMaxBytes,
): Promise<Readonly<Record<string, unknown>>> {
  const { headers } = request
  if (!isJson(headers['content-type'])) {
    throw new Refusal({ code: 'invalid_json', message: message('content_type_wrong') })
  }
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new Refusal({ code: 'invalid_json', message: message('content_encoding_wrong') })
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return parseObject(await readBytes(request, maxBytes))
}

/**
 * Reads the body of a request. Throws a refusal for more than `maxBytes` bytes; rejects when the client disconnects.
 */
export function readBytes(request: IncomingMessage, maxBytes: number): Uint8Array | Promise<Uint8Array> {
  // Usually the body has arrived in the same packet as the head of the request. The request is then complete, and its
  // body is read at once.
  if (!request.complete || request.destroyed) return arrivingBytes(request, maxBytes)
  const parts: Uint8Array[] = []
  let size = 0
  for (let part = request.read(); part !== null; part = request.read()) {
    parts.push(part)
    size += part.length
  }
  if (size > maxBytes) throw tooLarge(maxBytes)
  return joined(parts, size)
}

// Listens to events instead of iterating: iterating over a stream creates many promises and listeners, although most
// bodies have few parts.
function arrivingBytes(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  return new Promise((resolve, failed) => {
    if (request.destroyed) failed(new Error('The request was broken off.'))
    const take = (part: Uint8Array): void => {
      size += part.length
      if (size > maxBytes) leave(() => failed(tooLarge(maxBytes)))
      else parts.push(part)
    }
    const end = (): void => leave(() => resolve(joined(parts, size)))
    const broken = (error?: Error): void => leave(() => failed(error ?? new Error('The request was broken off.')))
    // When a refusal ends the reading early, the request is paused, not destroyed: its connection must carry the
    // refusal.
    const leave = (then: () => void): void => {
      request.off('data', take).off('end', end).off('error', broken).off('close', broken).pause()
      then()
    }
    request.on('data', take).on('end', end).on('error', broken).on('close', broken)
  })
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only : Buffer.concat(parts, size)
}

/** Returns the refusal of a body with more than `largest` bytes. */
export function tooLarge(largest: number): Refusal {
  return refusal('body_too_large', { size: Math.floor(largest / 1024) })
}

/** Whether the content type is `application/json`, in upper or lower case, with no charset other than UTF-8. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
  })
}
