import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)

// A lockfile that was generated where an optional package was unavailable omits it, and `npm ci` then refuses to
// install anything.
test('the lockfile has every optional package of every platform', () => {
  const missing = Object.values(packages)
    .flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
  assert.deepEqual(missing, [])
})

test('the lockfile names no registry, so that any may be used', () => {
  assert.deepEqual(
    Object.entries(packages).filter(([, locked]) => locked.resolved !== undefined),
    [],
  )
})
