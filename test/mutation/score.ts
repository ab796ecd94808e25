import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proved } from '../support/proof.ts'
import { runCommand } from '../support/runner.ts'
import { groups } from './table.ts'

// `npm test` does not run this file, because its name does not end in `.test.ts`: the test takes as long as all other
// proofs together. After an interruption, it continues with the stored results.
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
