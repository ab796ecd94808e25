// Receives webhooks of Daybook: node receiver.ts (Node 24 or newer). Prints each event once verified.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from((process.env.WEBHOOK_SECRET ?? '').replace('whsec_', ''), 'base64')

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  const [id, timestamp] = [String(request.headers['webhook-id']), Number(request.headers['webhook-timestamp'])]
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const sent = String(request.headers['webhook-signature']).split(' ')
  const signed = sent.map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'))
  const valid = signed.some((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
  const recent = Math.abs(Date.now() / 1000 - timestamp) < 300
  response.writeHead(valid && recent ? 204 : 400).end()
  // Store the id with what you do: a repetition has the same one.
  if (valid && recent) console.log(id, JSON.parse(body).type)
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
