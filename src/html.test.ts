import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'

test('text put into HTML stays text, and HTML stays HTML', () => {
  const name = `<b title="x" class='y'>&`
  assert.equal(html`<i>${name}</i>`.text, '<i>&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;&amp;</i>')
  assert.equal(html`${[html`<b>1</b>`, 2, ['<']]}${undefined}${false}`.text, '<b>1</b>2&lt;')
})
