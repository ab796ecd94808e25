import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { encrypt, findDecrypted, isCurrent, type KeyRing } from './encryption.ts'

const [key, other] = [randomBytes(32), randomBytes(32)]

test('a secret is decrypted by any key of the ring, for its own place alone', () => {
  const sealed = encrypt([other], 'Geheim', 'here')
  const ring: KeyRing = [key, other]
  assert.equal(findDecrypted(ring, sealed, 'here'), 'Geheim')
  assert.equal(findDecrypted(ring, sealed, 'there'), undefined)
  assert.equal(findDecrypted([key], sealed, 'here'), undefined)
  assert.deepEqual([isCurrent(ring, sealed, 'here'), isCurrent([other], sealed, 'here')], [false, true])
})

test('a text of any length that was not encrypted is decrypted to nothing', () => {
  const sealed = encrypt([key], 'Geheim', 'here')
  for (let length = 0; length < sealed.length; length += 1)
    assert.equal(findDecrypted([key], sealed.slice(0, length), 'here'), undefined, `${length} characters`)
  assert.equal(findDecrypted([key], `${sealed}AAAA`, 'here'), undefined)
  assert.equal(isCurrent([key], 'v1.', 'here'), false)
})
