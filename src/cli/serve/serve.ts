import { releaseCompiledCode } from '../../compiled-code.ts'
import type { SettingName } from '../../config.ts'
import { databaseFile } from '../../db/data-dir.ts'
import { startWriter } from '../../db/sqlite/start-writer.ts'
import type { ProcessCommand } from '../framework/command.ts'
import { operationsModule } from '../framework/operations.ts'

const served: readonly SettingName[] = [
  'host',
  'port',
  'dataDir',
  'databaseUrl',
  'databasePool',
  'workers',
  'drainSeconds',
  'siteUrl',
  'publicUrl',
  'trustProxy',
  'trustForwardedHost',
  'wrongTokensPerMinute',
  'maxRequests',
  'maxConnections',
  'availabilityMemory',
  'pageLanguages',
  'metricsToken',
  'secretKey',
  'outboundNetworks',
  'smtpUrl',
  'stripeUrl',
  'googleUrl',
  'microsoftUrl',
  'logLevel',
  'now',
]

/** Runs the service until SIGTERM or SIGINT. */
export const serve: ProcessCommand = {
  on: 'process',
  options: {
    demo: {
      description: 'Fills an empty site with a demo clinic, and prints new tokens and a new sign-in at every start.',
    },
  },
  settings: served,
  positionals: [],
  run: async ({ config, flags }, handle) => {
    const file = databaseFile(config.dataDir)
    // The writer thread is started before this thread loads its modules, so that both load in parallel.
    const writer =
      config.databaseUrl === undefined ? startWriter({ file, operations: operationsModule.href }) : undefined
    const { runService } = await import('./service.ts')
    releaseCompiledCode()
    return runService({ config, handle, demo: flags.demo === true, writer })
  },
}
