import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readArguments } from './arguments.ts'
import type { Usage } from './command.ts'

const usage: Usage = {
  options: { name: { placeholder: 'N', description: 'A name.' }, 'dry-run': { description: 'Keeps nothing.' } },
  settings: ['dataDir', 'port'],
  positionals: ['FILE'],
}

function read(...argv: readonly string[]) {
  return readArguments(usage, argv, {})
}

test('options may stand before or after positionals, with or without an equals sign', () => {
  for (const argv of [
    ['--name', 'x', '--dry-run', 'file', '--port=9'],
    ['file', '--port', '9', '--dry-run', '--name=x'],
  ]) {
    const found = read(...argv)
    assert.ok('call' in found, JSON.stringify(found))
    const { flags, positionals, config } = found.call
    assert.deepEqual([flags.name, flags['dry-run'], positionals, config.port], ['x', true, ['file'], 9])
  }
})

test('--help prints help, whatever else is invalid', () => assert.deepEqual(read('--nme', '--help'), { help: true }))

const wrong: readonly (readonly [argv: readonly string[], faults: readonly RegExp[]])[] = [
  [['file', '--nme', 'x'], [/no option --nme.*--name/]],
  [['file', '--name', '--port', '1'], [/--name needs a value/]],
  [['file', '--name'], [/--name needs a value/]],
  [['file', '--dry-run=yes'], [/--dry-run takes no value/]],
  [[], [/FILE is missing/]],
  [['one', 'two'], [/"two" is one argument too many/]],
  [
    ['file', '-p', '--host', 'h', '--port', 'x'],
    [/no option -p/, /no option --host/, /--port must be/],
  ],
  [['file', '--now', '5'], [/no option --now/]],
]
for (const [argv, faults] of wrong) {
  test(`"${argv.join(' ')}" reports all its errors`, () => {
    const found = read(...argv)
    assert.ok('faults' in found, JSON.stringify(found))
    assert.equal(found.faults.length, faults.length, found.faults.join('\n'))
    for (const [at, fault] of faults.entries()) assert.match(found.faults[at] ?? '', fault)
  })
}
