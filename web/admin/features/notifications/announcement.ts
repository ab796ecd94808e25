import { type Item, type PanelRouteQuery, request } from '../../data/request.ts'
import { createStore } from '../../data/store.ts'

/** A change for which the user is asked whether to notify the customer. */
export type PlannedChange = PanelRouteQuery<'GET /notifications/announcement/'>

/** The message that a change sends to a customer. */
export type Message = NonNullable<Item<'GET /notifications/announcement/'>['message']>

/** An open question whether customers are notified of a change. */
export interface AnnouncementQuestion {
  readonly message: Message
  /** The number of reservations that the change concerns; the shown message is that of the first one with a message. */
  readonly count: number
  answer(notify: boolean | undefined): void
}

/** The question that the dialog shows; undefined while there is none. */
export const announcementQuestion = createStore<AnnouncementQuestion | undefined>(undefined)

/**
 * Asks the user whether customers are notified of a change, and shows the first message. Resolves to undefined when the
 * user cancels the change, and to true without a question when no message would be sent.
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

// Maximum number of reservations for which a message is looked up, so that the question about a change of many
// reservations appears quickly.
const maxTried = 3

/** Returns the message of the first change that sends one; undefined when none does. */
export async function firstMessage(changes: readonly PlannedChange[]): Promise<Message | undefined> {
  for (const query of changes.slice(0, maxTried)) {
    // An error of this request is ignored, since the change itself will report it.
    const found = await request('GET /notifications/announcement/', { query }).then(
      ({ message }) => message,
      () => null,
    )
    if (found) return found
  }
  return undefined
}
