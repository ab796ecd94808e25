// Runs once after the installation: compiles the service, so that its first start is as quick and small as later ones,
// and builds the panel.
import { keepCompiled } from './compiled.js'
import { buildPanel } from './panel.js'

keepCompiled()
await import('../src/main.ts')
await import('../src/cli/serve/service.ts')
await import('../src/db/sqlite/writer.ts')
await import('../src/operations.ts')
const { cliCommands } = await import('../src/cli/commands.ts')
for (const { load } of cliCommands.values()) await load()
await buildPanel()
