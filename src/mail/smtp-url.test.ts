import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSmtpUrl } from './smtp-url.ts'

for (const [text, expected] of [
  ['smtps://mail.example.com', ['mail.example.com', 465, 'tls', '', '']],
  ['smtp://mail.example.com/', ['mail.example.com', 587, 'starttls', '', '']],
  ['smtp+insecure://localhost:2525', ['localhost', 2525, 'none', '', '']],
  [
    'smtp://desk%40clinic.example:p%3A%2Fw@mail.example.com:25',
    ['mail.example.com', 25, 'starttls', 'desk@clinic.example', 'p:/w'],
  ],
  ['https://mail.example.com', undefined],
  ['smtp://mail.example.com:0', undefined],
  ['smtp://mail.example.com:70000', undefined],
  ['smtp://us%er@mail.example.com', undefined],
  ['smtp://%ff@mail.example.com', undefined],
  ['smtp://mail.example.com/path', undefined],
  ['smtp://', undefined],
] as const)
  test(`${text} ${expected ? 'names a server' : 'is refused'}`, () => {
    const found = parseSmtpUrl(text)
    assert.deepEqual(found && [found.host, found.port, found.security, found.user, found.password], expected)
  })
