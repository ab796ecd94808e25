import ipaddr from 'ipaddr.js'

/** Addresses or ranges that outbound requests may reach although they are not public. */
export type AllowedNetworks = readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[]

/** Parses a comma-separated list of addresses and CIDR ranges; throws for an invalid entry. */
export function parseNetworks(text: string): AllowedNetworks {
  if (text === '') return []
  return text.split(',').map((item) => {
    const name = item.trim()
    if (name.includes('/')) return ipaddr.parseCIDR(name)
    const address = ipaddr.parse(name)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

// The IPv6 range assigned for global unicast. An IPv6 address outside of this range may embed a private IPv4
// address, so it does not count as public.
const globalUnicast = ipaddr.parseCIDR('2000::/3')
// The address of Azure's platform services, which is internal although it lies in a public range.
const platformAddress = '168.63.129.16'

/** Whether an address is on the public internet, and not in a private, local, reserved or other special range. */
export function isPublic(text: string): boolean {
  const address = parse(text)
  if (!address || address.toString() === platformAddress) return false
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}

/** Whether an address is in one of the allowed networks. */
export function isAllowed(text: string, networks: AllowedNetworks): boolean {
  const address = parse(text)
  return (
    address !== undefined &&
    networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  )
}

/** Parses an address, and converts an IPv4-mapped IPv6 address to IPv4; returns undefined for other text. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}
