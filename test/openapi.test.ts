import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openApi } from '../src/contract/openapi.ts'
import { publicApi } from '../src/contract/public-api.ts'
import { freshFolder } from './support/daybook.ts'

const document = JSON.stringify(openApi(publicApi, '/api/v1'))

/**
 * Runs the linter Redocly on an OpenAPI document, without telemetry and without a check for updates; returns its exit
 * status and output.
 */
function lint(text: string): { readonly status: number | null; readonly said: string } {
  const file = join(freshFolder(), 'openapi.json')
  writeFileSync(file, text)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js')),
      'lint',
      file,
      '--config',
      'redocly.yaml',
      '--format',
      'stylish',
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
    },
  )
  return { status, said: stdout + stderr }
}

test('the OpenAPI document passes the linter', () => {
  const { status, said } = lint(document)
  assert.equal(status, 0, said)
})

test('the linter finds the errors of a document', () => {
  const { status, said } = lint(document.replaceAll('#/components/schemas/Token', '#/components/schemas/Nobody'))
  assert.equal(status, 1)
  assert.match(said, /no-unresolved-refs/)
})
