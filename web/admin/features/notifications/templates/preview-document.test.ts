import assert from 'node:assert/strict'
import { test } from 'node:test'
import { previewDocument } from './preview-document.ts'

const html =
  '<html><head><style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){a{b:c}}</style></head>' +
  '<body style="margin:0"><p class="card" style="color:red">a style=&quot;b&quot;</p></body></html>'

test('style attributes become a style element with the nonce', () => {
  const shown = previewDocument(html, { nonce: 'n', dark: false })
  assert.equal(/ style="/.test(shown), false)
  assert.match(shown, /<style nonce="n">\[data-style="0"\]\{margin:0\}\[data-style="1"\]\{color:red\}<\/style><\/head>/)
  assert.match(shown, /<p class="card" data-style="1">a style=&quot;b&quot;<\/p>/)
})

for (const [dark, scheme, media] of [
  [true, 'dark', 'all'],
  [false, 'light', 'not all'],
] as const)
  test(`a message is shown in the ${scheme} scheme whatever the device prefers`, () => {
    const shown = previewDocument(html, { nonce: 'n', dark })
    assert.ok(shown.includes(`<style nonce="n">:root{color-scheme:${scheme}}@media ${media}{a{b:c}}</style>`), shown)
  })
