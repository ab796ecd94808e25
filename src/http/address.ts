import { isIPv6 } from 'node:net'

/**
 * The network that an address is counted under: an IPv4 address itself, an IPv6 address by its /64, since one customer of
 * a provider has a whole /64 to choose addresses from.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const omitted = address.includes('::') ? 8 - groups.length - after.length : 0
  const all = [...groups, ...Array.from({ length: Math.max(0, omitted) }, () => '0'), ...after]
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
