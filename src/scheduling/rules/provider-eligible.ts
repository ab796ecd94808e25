import { handles } from '../../catalogue/providers/provider.ts'
import { type Message, message } from '../../messages/message.ts'
import { noStarts, type Starts } from '../listing/starts.ts'
import { allowed, type Dependencies, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

/**
 * Requires that every provider of a slot gives the service. The slot of a collective service, which occupies all of its
 * providers, must be requested under the provider with the lowest id.
 */
export function filter(starts: Starts, { slotSource: { service, members } }: RuleQuestion): Starts {
  return members.every(({ provider }) => handles(provider, service.id)) ? starts : noStarts
}

export function verdict({ service, provider, slotSource }: RuleCase): Verdict {
  const own = `provider.services.${service.id}.participate`
  const no = (setting: string, value: unknown, reason: Message) =>
    refused(setting, value, 'provider_not_eligible', reason)
  if (!handles(provider, service.id)) {
    if (provider.services.get(service.id)?.participate === false)
      return no(own, false, message('provider_not_participating'))
    const value = provider.allowedServices
    return no('provider.allowedServices', value, message('provider_not_eligible'))
  }
  if (slotSource.provider.id !== provider.id) {
    const reason = message('booked_together', { id: slotSource.provider.id })
    return no('service.routingMode', slotSource.provider.id, reason)
  }
  return allowed('provider.allowedServices', provider.id, message('rule_provider_eligible'))
}

export function dependsOn(): Dependencies {
  return {}
}
