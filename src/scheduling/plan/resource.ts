/**
 * One provider, room or piece of equipment whose time an appointment occupies, or the overflow of a provider: a
 * separate resource that a deliberate double booking occupies if it overlaps a different slot. Time that is occupied on
 * the overflow counts as busy time of the provider.
 */
export interface Resource {
  readonly kind: keyof typeof letters
  readonly id: number
}

/**
 * The name of a resource in the database, in locks and in cache invalidations, such as `p7` for the provider with the
 * id 7.
 */
export type ResourceName = `${(typeof letters)[Resource['kind']]}${number}`

const letters = { provider: 'p', room: 'r', equipment: 'e', overflow: 'o' } as const

/** Returns the resource name of a provider. */
export function providerResource(id: number): ResourceName {
  return `${letters.provider}${id}`
}

/** Returns the resource name of a provider's overflow (see `Resource`). */
export function overflowResource(id: number): ResourceName {
  return `${letters.overflow}${id}`
}

/**
 * Returns the name of the resource to whose time the time of the resource `name` belongs: for an overflow, its
 * provider; otherwise `name` itself.
 */
export function timeResource(name: ResourceName): ResourceName {
  const { kind, id } = parseResource(name)
  return kind === 'overflow' ? providerResource(id) : name
}

/** Parses the name of a resource; throws for any other text, so that an unknown name never counts as free time. */
export function parseResource(name: string): Resource {
  const [, letter, digits] = /^([pero])([1-9]\d*)$/.exec(name) ?? []
  for (const kind of ['provider', 'room', 'equipment', 'overflow'] as const)
    if (letters[kind] === letter) return { kind, id: Number(digits) }
  throw new RangeError(`${JSON.stringify(name)} names no resource.`)
}

/** Returns the text as a resource name; throws when the text is not the name of a resource. */
export function resourceName(text: string): ResourceName {
  const { kind, id } = parseResource(text)
  return `${letters[kind]}${id}`
}

/** Returns the id of a provider from its resource name; throws when the name is that of another kind of resource. */
export function providerIdOf(name: string): number {
  const { kind, id } = parseResource(name)
  if (kind !== 'provider') throw new RangeError(`${name} is no provider.`)
  return id
}

/** Returns the key of the lock that protects a resource's time. */
export function resourceLock(name: ResourceName): string {
  return `resource:${name}`
}
