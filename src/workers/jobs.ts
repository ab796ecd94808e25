import type { TokenRegister } from '../domain/token.ts'
import type { Daybook } from '../operations/index.ts'
import { writeAllWords } from './customer-words.ts'
import { every, type Loop } from './loop.ts'
import { sweepAll } from './sweep.ts'

const flushSeconds = 5
const sweepSeconds = 300
// New customers are found at once; this is for those from before an upgrade.
const wordsSeconds = 60

/** Starts what the service does by itself: writing down the use of tokens, sweeping away what nothing looks at, the search. */
export function startJobs(app: Daybook, tokens: TokenRegister): Loop {
  const loops = [
    every(flushSeconds, { name: 'token use', run: async () => void (await tokens.flush()) }, app.log),
    every(wordsSeconds, { name: 'customer words', run: () => writeAllWords(app) }, app.log),
    every(sweepSeconds, { name: 'sweep', run: () => sweepAll(app) }, app.log),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
