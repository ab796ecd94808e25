import type { TFunction } from 'i18next'
import type { Item } from '../../data/request.ts'

type Broken = Item<'GET /calendar/verdict/'>['broken'][number]

/** The short name of a broken rule; within opening hours, a time off the interval is not a start time. */
export function brokenRuleName({ rule, message }: Pick<Broken, 'rule' | 'message'>, t: TFunction<'words'>): string {
  const { code } = message
  const name = code === 'slot_off_grid' || code === 'slot_duration_differs' ? 'not_a_start' : rule
  return t(`calendar.against.${name}`)
}
