import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proved } from '../support/proof.ts'
import { runCommand } from '../support/runner.ts'
import { groups } from './table.ts'

// The file name keeps this test out of `npm test`: it takes as long as all other proofs together, and continues after
// an interruption.
test('small faults in the files that decide are detected', async (t) => {
  const { code, printed } = await runCommand('node', ['test/mutation/run.ts'])
  for (const { name } of groups) {
    const found = new RegExp(`^${name}: (\\d+) mutants, (\\d+) noticed.*, (\\d+) missed`, 'm').exec(printed)
    assert.ok(found, printed)
    const [mutants = 0, noticed = 0, missed = 0] = found.slice(1).map(Number)
    proved(t, `M ${name}`, { mutants, noticed, missed })
  }
  assert.equal(code, 0, printed)
})
