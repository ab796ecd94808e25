import type { SettingName } from '../config.ts'
import type { ProcessCommand } from './command.ts'

const served: readonly SettingName[] = [
  'host',
  'port',
  'dataDir',
  'databaseUrl',
  'databasePool',
  'siteUrl',
  'trustProxy',
  'wrongTokensPerMinute',
  'maxRequests',
  'metricsToken',
  'logLevel',
  'now',
]

/** Runs the service until SIGTERM or SIGINT. */
export const serve: ProcessCommand = {
  on: 'process',
  options: {},
  settings: served,
  positionals: [],
  run: async ({ config }, answer) => (await import('./service.ts')).runService(config, answer),
}
