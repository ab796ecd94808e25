import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, environmentNameOf, flagOf, originOf, readConfig, type SettingName, settings } from './config.ts'

function configOf(...given: Parameters<typeof readConfig>): Config {
  const read = readConfig(...given)
  assert.ok('config' in read, JSON.stringify(read))
  return read.config
}

function faultsOf(...given: Parameters<typeof readConfig>): readonly string[] {
  const read = readConfig(...given)
  assert.ok('faults' in read, JSON.stringify(read))
  return read.faults
}

test('with nothing said the service listens on this machine alone, port 8080, with its data in ./data', () => {
  const { host, port, dataDir, databaseUrl, now } = configOf({}, {})
  assert.deepEqual([host, port, dataDir, databaseUrl, now], ['127.0.0.1', 8080, './data', undefined, undefined])
})

test('the command line wins over the environment, which wins over the default', () => {
  const environment = { DAYBOOK_PORT: '9000', DAYBOOK_HOST: '0.0.0.0' }
  const { port, host } = configOf({ port: '9001' }, environment)
  assert.deepEqual([port, host], [9001, '0.0.0.0'])
})

test('an empty environment variable is none, an empty option is wrong', () => {
  assert.equal(configOf({}, { DAYBOOK_PORT: '' }).port, 8080)
  assert.equal(faultsOf({ port: '' }, {}).length, 1)
})

test('a folder on the command line wins over a database in the environment', () => {
  const environment = { DAYBOOK_DATABASE_URL: 'postgres://localhost/site' }
  assert.equal(configOf({}, environment).databaseUrl, 'postgres://localhost/site')
  assert.equal(configOf({ 'data-dir': 'here' }, environment).databaseUrl, undefined)
})

test('a folder and a database on one command line contradict each other', () => {
  assert.match(faultsOf({ 'data-dir': 'here', 'database-url': 'postgres://h/d' }, {})[0] ?? '', /either/)
})

test('everything that is wrong is told at once, each under the name it was given by', () => {
  const faults = faultsOf({ port: '80a', 'site-url': 'clinic.example' }, { DAYBOOK_LOG_LEVEL: 'loud' })
  assert.deepEqual(
    faults.map((fault) => fault.split(' ')[0]),
    ['--port', '--site-url', 'DAYBOOK_LOG_LEVEL'],
  )
})

test('the clock is moved by the environment alone', () => {
  assert.equal(configOf({ now: '5' }, {}).now, undefined)
  assert.equal(configOf({}, { DAYBOOK_NOW: '1800000000' }).now, 1_800_000_000)
})

const cases: readonly (readonly [SettingName, string, unknown])[] = [
  ['port', '0', 0],
  ['port', '65535', 65_535],
  ['port', '65536', undefined],
  ['port', '-1', undefined],
  ['databaseUrl', 'mysql://h/d', undefined],
  ['databaseUrl', 'postgresql://u:p@h:5432/d', 'postgresql://u:p@h:5432/d'],
  ['databasePool', '0', undefined],
  ['siteUrl', 'https://clinic.example', 'https://clinic.example'],
  ['siteUrl', 'javascript:alert(1)', undefined],
  ['trustProxy', '10.0.0.0/8, ::1', '10.0.0.0/8, ::1'],
  ['trustProxy', '10.0.0.0/33', undefined],
  ['trustProxy', 'proxy.example', undefined],
  ['now', '1.5', undefined],
]
for (const [name, text, value] of cases) {
  test(`${name} ${text} ${value === undefined ? 'is refused' : `is ${JSON.stringify(value)}`}`, () =>
    assert.deepEqual(settings[name].read(text), value))
}

test('each setting has its flag and its variable', () => {
  assert.deepEqual([flagOf('databaseUrl'), environmentNameOf('databaseUrl')], ['database-url', 'DAYBOOK_DATABASE_URL'])
})

for (const [host, origin] of [
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
  ['clinic.local', 'http://clinic.local:8080'],
  ['0.0.0.0', 'http://localhost:8080'],
  ['::', 'http://localhost:8080'],
] as const)
  test(`browsers reach a service that listens on ${host} at ${origin}`, () => {
    assert.equal(originOf({ publicUrl: undefined, host, port: 8080 }), origin)
    assert.equal(originOf({ publicUrl: 'https://book.example', host, port: 8080 }), 'https://book.example')
  })
