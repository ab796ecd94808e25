import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { command, freshFolder } from '../support/daybook.ts'

const run = promisify(execFile)

describe('completion', { timeout: 600_000 }, () => {
  for (const [typed, offered] of [
    [['ex'], ['export', 'explain']],
    [
      ['token', ''],
      ['create', 'list', 'revoke'],
    ],
    [['user', 'c'], ['create']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['backup', '--f'], ['--force']],
    [['token', 'create', '--s'], ['--scope']],
  ] as const) {
    test(`bash offers ${offered.join(', ')} for "daybook ${typed.join(' ')}"`, async () => {
      const { stdout } = await command(['completion', 'bash'])
      const script = join(freshFolder(), 'completion')
      writeFileSync(script, stdout)
      const words = ['daybook', ...typed].map((word) => `'${word}'`).join(' ')
      const ask = `. ${script}; COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _daybook; printf '%s\\n' "\${COMPREPLY[@]}"`
      const { stdout: answer } = await run('bash', ['-c', ask])
      assert.deepEqual(answer.trim().split('\n').toSorted(), [...offered].toSorted())
    })
  }

  test('zsh and fish have their own scripts; another shell is a usage error', async () => {
    assert.match((await command(['completion', 'zsh'])).stdout, /^autoload -U \+X bashcompinit/)
    assert.match((await command(['completion', 'fish'])).stdout, /-a token\n.*\n?/)
    const { code, stderr } = await command(['completion', 'csh'])
    assert.equal(code, 2)
    assert.match(stderr, /^SHELL must be one of bash, zsh, fish\.\n/)
  })
})
