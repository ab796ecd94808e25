import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isColor } from './color.ts'

const colours = [
  '#fff',
  '#FFFF',
  '#3366cc',
  '#3366CC80',
  'red',
  'RebeccaPurple',
  'transparent',
  'rgb(1,2,3)',
  'rgb(1 2 3 / 50%)',
  'rgba(10, 20, 30, .5)',
  'RGB(10%, 20%, 30%)',
  'hsl(120, 50%, 50%)',
  'hsl(120deg 50% 50%)',
  'hsla(0.5turn, 1%, 2%, 0.3)',
  'HSL(120DEG 50% 50%)',
  `rgb(1, 2, 3${' '.repeat(73)})`,
]
for (const text of colours) test(`${text} is a colour`, () => assert.equal(isColor(text), true))

const others = [
  '',
  '#',
  '#ff',
  '#fffff',
  '#ggg',
  'reddish',
  'rgb()',
  'rgb(1,2)',
  'rgb(1,2,3',
  'hsl(a, b, c)',
  'url(x)',
  ' #fff',
  'toString',
  'xrgb(1,2,3)',
  'rgb(1,2,3)x',
  'rgb(120deg, 2, 3)',
  'hsl(rgb(1,2,3))',
  `rgb(1, 2, 3${' '.repeat(74)})`,
]
for (const text of others) test(`"${text}" is not a colour`, () => assert.equal(isColor(text), false))
