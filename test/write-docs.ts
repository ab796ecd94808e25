// Writes the documents that are generated from the code. Run `npm run docs` after a change of what they describe:
// commands, options, the site file, metrics, webhooks or proofs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documents } from '../src/cli/framework/documents.ts'
import { proofGuide } from './support/proof-page.ts'

for (const [path, text] of [...(await documents()), ['docs/proof/README.md', proofGuide()] as const]) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(`wrote ${path}`)
}
