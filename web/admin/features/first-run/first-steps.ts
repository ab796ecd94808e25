import { unnamed } from '../../../../src/catalogue/site/site.ts'
import { useRead } from '../../data/queries.ts'
import { createStore } from '../../data/store.ts'

/** The steps of the first run, in order. */
export const firstSteps = ['site', 'service', 'provider', 'token'] as const
/** The name of one step of the first run. */
export type FirstStep = (typeof firstSteps)[number]

/** Which steps of the first run are complete; undefined until loaded. */
export interface Progress {
  readonly done: Readonly<Record<FirstStep, boolean>> | undefined
  readonly error: unknown
  refetch(): void
}

/** Derives the progress from existing data, so that work done elsewhere counts too. For administrators. */
export function useProgress(): Progress {
  const site = useRead('GET /site/', {})
  const services = useRead('GET /services/', { per_page: 5 })
  const providers = useRead('GET /providers/', { per_page: 5 })
  const tokens = useRead('GET /tokens/', { per_page: 100 })
  const reads = [site, services, providers, tokens]
  const read = site.data && services.data && providers.data && tokens.data
  return {
    done: read && {
      site: site.data.name !== unnamed,
      service: services.data.total > 0,
      provider: providers.data.total > 0,
      token: tokens.data.items.some(({ state }) => state === 'active'),
    },
    error: reads.find(({ data, error }) => error && data === undefined)?.error,
    refetch: () => {
      for (const one of reads) one.refetch()
    },
  }
}

const kept = 'daybook.first-steps'

/** Whether the first steps are hidden on this device. */
export const stepsHidden = createStore(localStorage.getItem(kept) === 'hidden')

/** Hides the first steps on this device. */
export function hideSteps(): void {
  localStorage.setItem(kept, 'hidden')
  stepsHidden.set(true)
}
