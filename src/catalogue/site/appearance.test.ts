import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, logoFormatOf, logoFormatOfId, textColorOn } from './appearance.ts'

for (const [one, other, expected] of [
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
] as const)
  test(`the contrast of ${one} with ${other} is ${expected}`, () => {
    assert.equal(Math.round(contrast(one, other) * 100) / 100, expected)
    assert.equal(contrast(one, other), contrast(other, one))
  })

test('text on every colour is readable', () => {
  const parts = Array.from({ length: 18 }, (_, step) => (step * 15).toString(16).padStart(2, '0'))
  for (const red of parts)
    for (const green of parts)
      for (const blue of parts) {
        const color = `#${red}${green}${blue}`
        assert.ok(contrast(color, textColorOn(color)) >= 4.5, color)
      }
})

const bytes = (text: string) => new TextEncoder().encode(text)
for (const [name, content, expected] of [
  ['a PNG file', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), 'png'],
  ['a JPEG file', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), 'jpg'],
  ['an SVG file', bytes('<?xml version="1.0"?>\n<!-- drawn --><svg xmlns="http://www.w3.org/2000/svg"/>'), 'svg'],
  ['an HTML file', bytes('<!DOCTYPE html><html><svg></svg></html>'), undefined],
  ['a GIF file', bytes('GIF89a'), undefined],
  ['an empty file', new Uint8Array(), undefined],
] as const)
  test(`${name} ${expected ? 'can' : 'cannot'} be a logo`, () => assert.equal(logoFormatOf(content), expected))

for (const [id, expected] of [
  [`${'0a'.repeat(16)}.png`, 'png'],
  [`${'0a'.repeat(16)}.gif`, undefined],
  ['../secret.key', undefined],
] as const)
  test(`the id ${id} ${expected ? 'has a format' : 'is no logo'}`, () => assert.equal(logoFormatOfId(id), expected))
