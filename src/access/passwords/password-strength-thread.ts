import { parentPort, workerData } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// Only the first 128 characters of a password are rated: further ones cannot weaken it, and the time to rate it grows with
// its length.
const maxEstimatedLength = 128

const { password, words }: { readonly password: string; readonly words: readonly string[] } = workerData
const { score } = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }).check(
  password.slice(0, maxEstimatedLength),
  [...words],
)
parentPort?.postMessage(score)
