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
  'availabilityMemory',
  'metricsToken',
  'secretKey',
  'logLevel',
  'now',
]

/** Runs the service until SIGTERM or SIGINT. */
export const serve: ProcessCommand = {
  on: 'process',
  options: {
    demo: {
      sentence:
        'Fills an empty site with a clinic to try, and prints tokens and a sign-in that are new at every start.',
    },
  },
  settings: served,
  positionals: [],
  run: async ({ config, flags }, answer) =>
    (await import('./service.ts')).runService({ config, answer, demo: flags.demo === true }),
}
