import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLiquidRenderer } from './liquid.ts'

const render = createLiquidRenderer({ parseLimit: 1_000, memoryLimit: 200_000 })

test('a template is rendered although other programs had the processor meanwhile', async () => {
  const customer = {
    // Stops the thread for longer than rendering may occupy the processor.
    get name() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400)
      return 'Jo'
    },
  }
  const template = 'Dear {{ customer.name }}, {% if place %}welcome {{ place }}{% endif %}'
  assert.equal(await render(template, { customer, place: 'here' }), 'Dear Jo, welcome here')
})

test('a template that loops is ended by the limit of memory or of time', async () => {
  const large = '{% for a in (1..200001) %}{{ a }}{% endfor %}'
  await assert.rejects(render(large, {}), /memory alloc limit exceeded, line:1/)
  const long = '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ b }}{% endfor %}{% endfor %}'
  await assert.rejects(render(long, {}), /template render limit exceeded, line:1/)
})
