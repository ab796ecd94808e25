import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { sentence } from '../../messages/sentence.ts'
import { canonicalJson, parseObject } from './json.ts'

const parse = (text: string) => parseObject(new TextEncoder().encode(text))
const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

const refused = [
  ['nothing', ''],
  ['a broken text', '{"a":'],
  ['two values', '{} {}'],
  ['a trailing comma', '{"a":1,}'],
  ['NaN', '{"a":NaN}'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a byte order mark', '\uFEFF{}'],
  ['a key twice', '{"a":1,"a":2}'],
  ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
  ['a key twice further down', '{"x":[{"a":1,"b":{"a":1},"a":2}]}'],
  ['1e400', '{"a":1e400}'],
  ['-1e400 in a list', '{"a":[0,-1e400]}'],
  ['a number of 400 digits', `{"a":${'9'.repeat(400)}}`],
  ['NUL in a text', '{"a":"\\u0000"}'],
  ['NUL in a key', '{"\\u0000":1}'],
  ['half a character', '{"a":"\\ud800"}'],
  ['half a character in a key', '{"\\udc00":1}'],
  ['33 levels', nested(33)],
  ['100,000 levels', nested(100_000)],
] as const

for (const [what, text] of refused) {
  test(`${what} is not a valid body`, () => {
    assert.throws(
      () => parse(text),
      (error) => error instanceof Refusal && error.refused.code === 'invalid_json',
    )
  })
}

test('bytes that are not UTF-8 are not a valid body', () => {
  for (const bytes of [
    [0x7b, 0x22, 0xff, 0x22, 0x7d],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xff, 0xfe, 0x7b, 0],
  ]) {
    assert.throws(() => parseObject(Uint8Array.from(bytes)), Refusal)
  }
})

const taken = [
  '{}',
  ' {"a" : 1 , "b" : [true, false, null, -0.5e-3] } ',
  '{"a":{"a":1},"b":{"a":1},"c":["a","a","a"]}',
  '{"a":"\\\\","b":"\\"a\\":1,","c":"{[}]"}',
  '{"a":"\\ud83d\\ude00 😀 é \\u00e9"}',
  '{"a":1e308,"b":9007199254740993}',
  '{"":1," ":2,"constructor":3,"toString":4}',
  nested(32),
]

for (const text of taken) {
  test(`${text.slice(0, 40)} is parsed as JSON.parse does`, () => assert.deepEqual(parse(text), JSON.parse(text)))
}

test('__proto__ is an ordinary key', () => {
  const value = parse('{"__proto__":{"admin":true},"data":{"__proto__":1}}')
  assert.deepEqual(Object.keys(value), ['__proto__', 'data'])
  assert.equal('admin' in value, false)
  assert.equal('admin' in {}, false)
})

interface Written {
  readonly text: string
  /** Whether a key occurs twice in any one object of the text. */
  readonly twice: boolean
}

// Few names, some written in two ways, so that about half of the texts have a duplicate key.
const names = fc.constantFrom('"a"', '"\\u0061"', '"b"', '"{\\":"', '"__proto__"', '"c:"')
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', 'null', '"a"', '"\\"a\\":"').map((text) => ({ text, twice: false })),
    fc.array(tie('written'), { maxLength: 3 }).map((items) => ({
      text: `[${items.map(({ text }) => text).join(' , ')}]`,
      twice: items.some(({ twice }) => twice),
    })),
    fc.array(fc.tuple(names, tie('written')), { maxLength: 4 }).map((pairs) => ({
      text: `{${pairs.map(([name, { text }]) => `${name} :${text}`).join(',\n')}}`,
      twice: new Set(pairs.map(([name]) => JSON.parse(name))).size < pairs.length || pairs.some(([, of]) => of.twice),
    })),
  ),
}))

const saysTwice = (message: Message) => /has a key twice/.test(sentence(message))

test('a body is refused exactly when an object in it names a key twice', () => {
  fc.assert(
    fc.property(written, ({ text, twice }) => {
      const read = () => parse(`{"x":${text}}`)
      if (twice) assert.throws(read, (error) => error instanceof Refusal && saysTwice(error.refused.message))
      else assert.deepEqual(read(), JSON.parse(`{"x":${text}}`))
    }),
    { numRuns: 2_000 },
  )
})

test('canonical JSON depends on the value alone, not on its formatting', () => {
  const one = canonicalJson(JSON.parse('{"b":[1,{"d":null,"c":"x"}],"a":1.0}'))
  assert.equal(one, canonicalJson(JSON.parse('{ "a": 1, "b": [1, {"c":"\\u0078", "d":null}] }')))
  assert.notEqual(one, canonicalJson(JSON.parse('{"a":1,"b":[{"c":"x","d":null},1]}')))
})
