import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdmissionSlots } from '../bind.ts'
import { sendOverloaded } from '../load/admission.ts'
import { send } from '../response/response.ts'
import { readBytes, tooLarge } from './body.ts'

const maxBytes = 64 * 1024
const type = 'application/x-www-form-urlencoded'

/**
 * Reads a posted HTML form. Meanwhile the request holds no admission slot (the slots limit how many requests are
 * handled at once), since slow clients could otherwise occupy all slots. Returns undefined after it has sent an error
 * response itself: 415 for another content type, 503 when no slot is free afterwards. Throws a 413 refusal for a body
 * that is too long, and an error when the client disconnects.
 */
export async function receiveForm(
  { raw, id: requestId, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  slots: AdmissionSlots,
): Promise<URLSearchParams | undefined> {
  const contentType = (raw.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (contentType !== type) {
    reply.hijack()
    reply.raw.once('finish', () => raw.destroy())
    send(reply.raw, { status: 415, headers: { Connection: 'close' }, body: '' })
    return undefined
  }
  if (Number(raw.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  slots.suspend(reply.raw)
  const bytes = await readBytes(raw, maxBytes)
  if (!slots.resume(reply.raw)) {
    reply.hijack()
    sendOverloaded(reply.raw, requestId, routeOptions.config.errorPages?.[503])
    return undefined
  }
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'))
}
