import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { siteFileDocument } from '../../src/contract/site-file.ts'
import { command, freshFolder } from '../support/daybook.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'

const site = {
  site: { name: 'Harbour Clinic', timezone: 'Europe/Berlin' },
  services: [{ key: 'cut', name: 'Cut' }],
  providers: [{ id: 1, name: 'Ana', allowedServices: ['cut'] }],
  customers: [{ key: 'jo', name: 'Jo', email: 'jo@example.com' }],
  reservations: [{ service: 'cut', provider: 1, customer: 'jo', start: '2027-03-01T09:00' }],
}

function written(file: object): string {
  const path = join(freshFolder(), 'site.json')
  writeFileSync(path, JSON.stringify(file))
  return path
}

eachDatabase((_kind, open) => {
  let service: ServiceProcess
  before(async () => {
    service = await open({ now: Date.UTC(2027, 0, 4, 8) / 1000 })
  })

  test('a long file is announced before it is written', async () => {
    const customers = Array.from({ length: 1_000 }, (_, n) => ({
      key: `c${n}`,
      name: 'Guest',
      email: `g${n}@example.com`,
    }))
    const { code, stdout, stderr } = await service.daybook('apply', written({ customers }), '--dry-run')
    assert.deepEqual([code, stderr], [0, '1000 rows, all or none …\n'])
    assert.match(stdout, /^customers: 1000 added/m)
  })

  test('a dry run reports changes and stores nothing; applying performs them; applying again changes nothing', async () => {
    const file = written(site)
    const tried = await service.daybook('apply', file, '--dry-run')
    assert.deepEqual((await service.call('GET', '/services/get/')).body.response, [])
    const applied = await service.daybook('apply', file)
    assert.deepEqual([tried.code, applied.code, applied.stdout], [0, 0, tried.stdout])
    assert.match(applied.stdout, /^services: 1 added, 0 changed, 0 left\n {2}added: Cut$/m)
    const again = await service.daybook('apply', file)
    assert.doesNotMatch(again.stdout, /[1-9]\d* (added|changed)/)
    const { body } = await service.call('GET', '/reservations/get/')
    assert.deepEqual(
      body.response.map(({ start }) => start),
      [Date.UTC(2027, 2, 1, 8) / 1000],
    )
  })

  test('a change takes effect in the running server at once', async () => {
    await service.apply({ services: [{ key: 'cut', name: 'Trim' }] })
    const { body } = await service.call('GET', '/services/get/')
    assert.deepEqual(
      body.response.map(({ name }) => name),
      ['Trim'],
    )
  })

  test('an invalid file changes nothing, with one line per error', async () => {
    const file = written({
      services: [{ name: 'New' }, { name: 'Bad', capacity: 0 }],
      providers: [{ name: 'Ana', weekly: { mon: ['9-5'] } }],
    })
    const { code, stdout, stderr } = await service.daybook('apply', file)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^services\[1\]\.capacity: .+$/m)
    assert.match(stderr, /^providers\[0\]\.weekly\.mon\[0\]: .+$/m)
    assert.equal((await service.call('GET', '/services/get/')).body.response.length, 1)
  })
})

describe('the site file', { timeout: 600_000 }, () => {
  test('of the examples applies to an empty directory, and again changes nothing', async () => {
    const dataDir = freshFolder()
    const example = join(import.meta.dirname, '../../examples/clinic.json')
    const { code, stderr } = await command(['apply', example, '--data-dir', dataDir])
    assert.equal(code, 0, stderr)
    assert.doesNotMatch((await command(['apply', example, '--data-dir', dataDir])).stdout, /[1-9]\d* (added|changed)/)
  })

  test('has a published schema equal to the validated one', () => {
    const published = readFileSync(join(import.meta.dirname, '../../docs/site-file.schema.json'), 'utf8')
    assert.equal(published, siteFileDocument(), 'docs/site-file.schema.json is to be what siteFileDocument() gives')
  })
})
