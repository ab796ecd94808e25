import type { Item } from '../../../data/request.ts'

/** One connected calendar as the panel lists it. */
export type ShownCalendar = Item<'GET /calendars/'>['items'][number]
