import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { proved } from './support/proof.ts'
import { scale, suiteTimeout } from './support/scale.ts'

test('the image makes its first booking as its own user, with a read-only root', {
  skip: missing(),
  timeout: suiteTimeout,
}, (t) => {
  const { status, stdout, stderr } = spawnSync('bash', ['./test/container.sh'], { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}\n${stderr}`)
  const [, megabytes, ready] = /Image: (\d+) MB unpacked, ready after (\d+) ms/.exec(stdout) ?? []
  assert.ok(megabytes !== undefined && ready !== undefined, stdout)
  proved(t, 'C1', { bookings: 1, megabytes: Number(megabytes), 'ms until ready': Number(ready) })
})

function missing(): string | false {
  if (scale <= 1) return 'only in a full run: building an image takes minutes and the network'
  if (process.getuid?.() !== 0) return 'needs root'
  const absent = ['buildah', 'mmdebstrap'].filter((name) => spawnSync(name, ['--version']).status !== 0)
  return absent.length > 0 && `needs Debian's ${absent.join(' and ')}`
}
