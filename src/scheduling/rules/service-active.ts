import { message } from '../../messages/message.ts'
import { noStarts, type Starts } from '../listing/starts.ts'
import { allowed, type Dependencies, type RuleCase, type RuleQuestion, refused, type Verdict } from './rule.ts'

/** Requires that the service is active; slots of an inactive service are not listed. */
export function filter(starts: Starts, { slotSource }: RuleQuestion): Starts {
  return slotSource.service.settings.active ? starts : noStarts
}

export function verdict({ service }: RuleCase): Verdict {
  return service.settings.active
    ? allowed('service.active', true, message('rule_service_active'))
    : refused('service.active', false, 'service_inactive', message('service_inactive'))
}

export function dependsOn(): Dependencies {
  return {}
}
