import { parentPort, workerData } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// Only the first 128 characters of a password are rated. Further characters cannot make a password weaker, and the time
// that the rating takes grows with the length of the password.
const maxEstimatedLength = 128

const { password, words }: { readonly password: string; readonly words: readonly string[] } = workerData
const { score } = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(
  password.slice(0, maxEstimatedLength),
  [...words],
)
parentPort?.postMessage(score)
