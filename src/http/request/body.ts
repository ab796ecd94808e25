import type { IncomingMessage } from 'node:http'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import { parseObject } from './json.ts'

const usual = 256 * 1024

/** The JSON object that the request carries; refuses another content type, an encoding, more than `largest` bytes. */
export async function readBody(request: IncomingMessage, largest = usual): Promise<Readonly<Record<string, unknown>>> {
  const { headers } = request
  if (!isJson(headers['content-type'])) {
    throw new Refusal({ code: 'invalid_json', message: message('content_type_wrong') })
  }
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    throw new Refusal({ code: 'invalid_json', message: message('content_encoding_wrong') })
  }
  if (Number(headers['content-length'] ?? 0) > largest) throw tooLarge(largest)
  return parseObject(await readBytes(request, largest))
}

function readBytes(request: IncomingMessage, largest: number): Uint8Array | Promise<Uint8Array> {
  // Nearly always the body came in one packet with its head, and is there by now.
  if (!request.complete || request.destroyed) return comingBytes(request, largest)
  const parts: Uint8Array[] = []
  let size = 0
  for (let part = request.read(); part !== null; part = request.read()) {
    parts.push(part)
    size += part.length
  }
  if (size > largest) throw tooLarge(largest)
  return joined(parts, size)
}

// By its events: to iterate over a stream takes promises and listeners without end for what is mostly few parts.
function comingBytes(request: IncomingMessage, largest: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  return new Promise((whole, failed) => {
    if (request.destroyed) failed(new Error('The request was broken off.'))
    const take = (part: Uint8Array): void => {
      size += part.length
      if (size > largest) leave(() => failed(tooLarge(largest)))
      else parts.push(part)
    }
    const end = (): void => leave(() => whole(joined(parts, size)))
    const broken = (error?: Error): void => leave(() => failed(error ?? new Error('The request was broken off.')))
    // Paused, not destroyed, on leaving early: the refusal still has to go out on this connection.
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

function tooLarge(largest: number): Refusal {
  return refusal('body_too_large', { size: Math.floor(largest / 1024) })
}

/** `application/json`, in any case, with no charset but UTF-8. */
function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || /^"?utf-?8"?$/.test(value.trim())
  })
}
