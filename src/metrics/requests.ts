import type { Sample } from './exposition.ts'
import { Histogram } from './histogram.ts'

// The upper bounds of the duration histogram, in seconds. Most responses take about a millisecond; few clients wait
// longer than ten seconds.
const secondBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const classes = ['gone', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

interface RouteFigures {
  readonly labels: readonly [route: string, method: string]
  readonly seconds: Histogram
  /** The number of requests by the status class of the response, in the order of `classes`. */
  readonly counts: number[]
}

/**
 * Counts and durations of requests by route. Only known routes become label values, so that the number of label values
 * is bounded.
 */
export class RequestFigures {
  readonly #routes = new Map<string, RouteFigures>()

  /**
   * Counts one request. `key` is `METHOD /path/`, undefined for an unknown route; `status` is 0 when the client
   * disconnected before the end of the response.
   */
  answered(key: string | undefined, status: number, seconds: number): void {
    const route = this.#route(key ?? 'any none')
    const place = Math.floor(status / 100)
    route.counts[place] = (route.counts[place] ?? 0) + 1
    route.seconds.observe(seconds)
  }

  counts(): Sample[] {
    return [...this.#routes.values()].flatMap(({ labels, counts }) =>
      classes.flatMap((name, at) => (counts[at] ? [{ labels: [...labels, name], value: counts[at] }] : [])),
    )
  }

  seconds(): Sample[] {
    return [...this.#routes.values()].map(({ labels, seconds }) => ({ labels, value: seconds }))
  }

  #route(key: string): RouteFigures {
    const known = this.#routes.get(key)
    if (known) return known
    const [method = '', path = ''] = key.split(' ')
    const made: RouteFigures = {
      labels: [path, method],
      seconds: new Histogram(secondBounds),
      counts: classes.map(() => 0),
    }
    this.#routes.set(key, made)
    return made
  }
}
