/** What an appointment occupies: one provider, room or piece of equipment. */
export interface Resource {
  readonly kind: keyof typeof letters
  readonly id: number
}

/** A resource as the database, locks and invalidations write it: `p7`, `r3`, `e2`. */
export type ResourceName = `${(typeof letters)[Resource['kind']]}${number}`

const letters = { provider: 'p', room: 'r', equipment: 'e' } as const

/** The name of a provider as a resource. */
export function providerResource(id: number): ResourceName {
  return `${letters.provider}${id}`
}

/** The resource of a name; throws for any other text, so that a name that is not understood never counts as free time. */
export function parseResource(name: string): Resource {
  const [, letter, digits] = /^([per])([1-9]\d*)$/.exec(name) ?? []
  for (const kind of ['provider', 'room', 'equipment'] as const)
    if (letters[kind] === letter) return { kind, id: Number(digits) }
  throw new RangeError(`${JSON.stringify(name)} names no resource.`)
}

/** The name, checked. */
export function resourceName(text: string): ResourceName {
  const { kind, id } = parseResource(text)
  return `${letters[kind]}${id}`
}

/** The provider's id; throws when the resource is a room or equipment. */
export function providerIdOf(name: string): number {
  const { kind, id } = parseResource(name)
  if (kind !== 'provider') throw new RangeError(`${name} is no provider.`)
  return id
}

/** The key of the lock on a resource's time. */
export function resourceLock(name: ResourceName): string {
  return `resource:${name}`
}
