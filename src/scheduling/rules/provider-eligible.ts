import { handles } from '../../catalogue/providers/provider.ts'
import { noStarts, type Starts } from '../listing/starts.ts'
import { allowed, type Dependencies, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

/** A slot's providers handle its service; slots of a collective service are listed under its lowest provider id. */
export function filter(starts: Starts, { slotSource: { service, members } }: RuleQuestion): Starts {
  return members.every(({ provider }) => handles(provider, service.id)) ? starts : noStarts
}

export function verdict({ service, provider, slotSource }: RuleCase): Verdict {
  const own = `provider.services.${service.id}.participate`
  const no = (setting: string, value: unknown, sentence: string) =>
    refused(setting, value, 'provider_not_eligible', sentence)
  if (!handles(provider, service.id)) {
    if (provider.services.get(service.id)?.participate === false)
      return no(own, false, 'The provider does not take part in this service. Choose another provider.')
    const value = provider.allowedServices
    return no('provider.allowedServices', value, 'The provider does not handle this service. Choose another one.')
  }
  if (slotSource.provider.id !== provider.id) {
    const sentence = `All providers of this service are booked together, under provider ${slotSource.provider.id}.`
    return no('service.routingMode', slotSource.provider.id, sentence)
  }
  return allowed('provider.allowedServices', provider.id, 'The provider handles this service.')
}

export function dependsOn(): Dependencies {
  return {}
}
