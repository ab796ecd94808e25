import { type Item, type PanelRouteQuery, request } from '../../data/request.ts'
import { createStore } from '../../data/store.ts'

/** A change whose message to the customer is asked about. */
export type PlannedChange = PanelRouteQuery<'GET /notifications/announcement/'>

type Message = NonNullable<Item<'GET /notifications/announcement/'>['message']>

/** The open question whether a message is sent. */
export interface AnnouncementQuestion {
  readonly message: Message
  /** How many customers the change concerns; the message is that of the first. */
  readonly count: number
  answer(notify: boolean | undefined): void
}

/** The question that the dialog shows; undefined while there is none. */
export const announcementQuestion = createStore<AnnouncementQuestion | undefined>(undefined)

/**
 * Asks whether customers are notified of a change, with the text of the first message; resolves to undefined when the
 * user cancels the change. Without a message to send nobody is asked.
 */
export async function askAnnouncement(changes: readonly PlannedChange[]): Promise<boolean | undefined> {
  const message = await firstMessage(changes)
  if (!message) return true
  return new Promise((resolve) => {
    announcementQuestion.set({
      message,
      count: changes.length,
      answer(notify) {
        announcementQuestion.set(undefined)
        resolve(notify)
      },
    })
  })
}

// A change of many reservations does not wait for a search among customers without an address.
const maxTried = 3

async function firstMessage(changes: readonly PlannedChange[]): Promise<Message | undefined> {
  for (const query of changes.slice(0, maxTried)) {
    // The write itself reports what is wrong.
    const found = await request('GET /notifications/announcement/', { query }).then(
      ({ message }) => message,
      () => null,
    )
    if (found) return found
  }
  return undefined
}
