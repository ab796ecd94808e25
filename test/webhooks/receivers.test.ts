import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Check } from 'typebox/value'
import { Type } from '../../src/contract/schema.ts'
import { payloadSchema } from '../../src/contract/webhook-payload.ts'
import { webhookEventTypes } from '../../src/webhooks/event-types.ts'
import { samplePayload } from '../../src/webhooks/samples.ts'
import { newWebhookSecret, signedHeaders } from '../../src/webhooks/signature.ts'
import { pause } from '../support/pause.ts'
import { freePort } from '../support/postgres.ts'

const examples = fileURLToPath(new URL('../../examples/webhooks/', import.meta.url))
const hasPython = spawnSync('python3', ['--version']).status === 0

async function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'GET', headers: { Connection: 'close' } }).then(
    () => true,
    () => false,
  )
}

for (const [language, program, file, skip] of [
  ['TypeScript', process.execPath, 'receiver.ts', false],
  ['Python', 'python3', 'receiver.py', hasPython ? false : 'Python is not installed'],
] as const) {
  describe(`the receiver in ${language}`, { skip, timeout: 600_000 }, () => {
    test('accepts what Daybook signs, and refuses an altered body, another secret and an old timestamp', async () => {
      const secret = newWebhookSecret()
      const port = await freePort()
      const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret }
      const child = spawn(program, [`${examples}${file}`], { env, stdio: ['ignore', 'pipe', 'ignore'] })
      try {
        const url = `http://127.0.0.1:${port}/`
        while (!(await answers(url))) await pause()
        const payload = samplePayload('reservation.created')
        const body = JSON.stringify(payload)
        const now = Math.floor(Date.now() / 1000)
        // Each request has a connection of its own: after a pause, the receiver may have closed an idle one.
        const send = async (headers: Record<string, string>, sent = body) =>
          (await fetch(url, { method: 'POST', headers: { ...headers, Connection: 'close' }, body: sent })).status
        const signed = (secrets: readonly string[], timestamp = now) =>
          signedHeaders({ id: payload.id, timestamp, body }, secrets)
        const printed = once(child.stdout, 'data')
        assert.equal(await send(signed([newWebhookSecret(), secret])), 204)
        assert.equal(String((await printed)[0]).trim(), `${payload.id} reservation.created`)
        assert.equal(await send(signed([secret]), body.replace('v1', 'v2')), 400)
        assert.equal(await send(signed([newWebhookSecret()])), 400)
        assert.equal(await send(signed([secret], now - 600)), 400)
      } finally {
        child.kill('SIGKILL')
      }
    })
  })
}

test('the schema of each event type accepts its example, and that of no other type', () => {
  for (const type of webhookEventTypes) {
    const schema = Type.Unsafe(payloadSchema(type))
    assert.ok(Check(schema, samplePayload(type)), type)
    const other = webhookEventTypes.find((one) => one !== type) ?? type
    assert.ok(!Check(schema, samplePayload(other)), type)
  }
})
