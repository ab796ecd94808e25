import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderLiquid } from './liquid.ts'

test('a template is rendered although the process was stalled meanwhile', async () => {
  let renderings = 0
  const customer = {
    get name() {
      const stalledUntil = performance.now() + 400
      if (++renderings === 1) while (performance.now() < stalledUntil);
      return 'Jo'
    },
  }
  assert.equal(await renderLiquid('Dear {{ customer.name }}, welcome {{ place }}', { customer }), 'Dear Jo, welcome ')
  assert.equal(renderings, 2)
})

test('a template that loops is ended', async () => {
  const loops = '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ b }}{% endfor %}{% endfor %}'
  await assert.rejects(renderLiquid(loops, {}), /limit exceeded/)
})
