import type { ResourceName } from './plan/resource.ts'
import type { Interval } from './time/interval.ts'

/**
 * What a committed transaction changed that availability rests on: a resource's taken or blocked time; which
 * reservations there are; whom a service was assigned to; services, providers or settings; or more than is worth telling.
 */
export type Invalidation =
  | ({ readonly kind: 'time'; readonly resource: ResourceName } & Interval)
  | { readonly kind: 'booked'; readonly serviceId: string; readonly providerId: number; readonly start: number }
  | { readonly kind: 'assigned'; readonly serviceId: string }
  | { readonly kind: 'catalogue' }
  | { readonly kind: 'everything' }
