import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdmissionSlots } from '../bind.ts'
import { sendOverloaded } from '../load/admission.ts'
import { send } from '../response/response.ts'
import { readBytes } from './body.ts'

const maxBytes = 64 * 1024
const type = 'application/x-www-form-urlencoded'

/**
 * Reads a posted HTML form. Meanwhile the request holds no admission slot (the slots limit how many requests are
 * handled at once), since slow clients could otherwise occupy all slots. Returns undefined after it has sent an error
 * response itself: 413 for a `Content-Length` above `maxBytes`, 415 for another content type, 503 when no slot is free
 * afterwards. Throws a 413 refusal for a body without `Content-Length` that is too long, and an error when the client
 * disconnects.
 */
export async function receiveForm(
  { raw, id: requestId, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  slots: AdmissionSlots,
): Promise<URLSearchParams | undefined> {
  const contentType = (raw.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  const length = Number(raw.headers['content-length'] ?? 0)
  if (contentType !== type || length > maxBytes) {
    reply.hijack()
    reply.raw.once('finish', () => raw.destroy())
    send(reply.raw, { status: contentType === type ? 413 : 415, headers: { Connection: 'close' }, body: '' })
    return undefined
  }
  slots.suspend(reply.raw)
  const bytes = await readBytes(raw, maxBytes)
  if (!slots.resume(reply.raw)) {
    reply.hijack()
    sendOverloaded(reply.raw, requestId, routeOptions.config.errorPages?.[503])
    return undefined
  }
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'))
}
