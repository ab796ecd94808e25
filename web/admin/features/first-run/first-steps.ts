import { unnamed } from '../../../../src/catalogue/site/site.ts'
import { useRead } from '../../data/queries.ts'
import { createStore } from '../../data/store.ts'

/** The steps of the first-run guide, in order. */
export const firstSteps = ['site', 'service', 'provider', 'booking'] as const
/** The name of one step of the first-run guide. */
export type FirstStep = (typeof firstSteps)[number]

/** Which steps of the first-run guide are complete; `done` is undefined until the data has loaded. */
export interface FirstRunProgress {
  readonly done: Readonly<Record<FirstStep, boolean>> | undefined
  readonly error: unknown
  refetch(): void
}

/**
 * Derives the progress of the first-run guide from existing data, so that work done on other screens counts too. For
 * administrators only, since other roles may not read some of the routes.
 */
export function useProgress(): FirstRunProgress {
  const site = useRead('GET /site/', {})
  const services = useRead('GET /services/', { per_page: 5 })
  const providers = useRead('GET /providers/', { per_page: 5 })
  const bookings = useRead('GET /reservations/', { per_page: 5 })
  const reads = [site, services, providers, bookings]
  const read = site.data && services.data && providers.data && bookings.data
  return {
    done: read && {
      site: site.data.name !== unnamed,
      service: services.data.total > 0,
      provider: providers.data.total > 0,
      booking: bookings.data.total > 0,
    },
    error: reads.find(({ data, error }) => error && data === undefined)?.error,
    refetch: () => {
      for (const one of reads) one.refetch()
    },
  }
}

const storageKey = 'daybook.first-steps'

/** Whether the user has hidden the link to the first-run guide on this device. */
export const stepsHidden = createStore(localStorage.getItem(storageKey) === 'hidden')

/** Hides the link to the first-run guide on this device. */
export function hideSteps(): void {
  localStorage.setItem(storageKey, 'hidden')
  stepsHidden.set(true)
}
