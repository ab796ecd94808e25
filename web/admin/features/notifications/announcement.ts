import { type Item, type PanelRouteQuery, request } from '../../data/request.ts'
import { createStore } from '../../data/store.ts'

/** A change of a reservation, or a new reservation, for which the user is asked whether to notify the customer. */
export type AnnouncedChange = PanelRouteQuery<'GET /notifications/announcement/'>

/** The message that a change would send to a customer. */
export type AnnouncementMessage = NonNullable<Item<'GET /notifications/announcement/'>['message']>

/** An open question whether customers are notified of a change; `answer(undefined)` cancels the change. */
export interface AnnouncementQuestion {
  readonly message: AnnouncementMessage
  /** The number of reservations that the change concerns; the shown message is that of the first one with a message. */
  readonly count: number
  answer(notify: boolean | undefined): void
}

/** The question that `AnnouncementDialog` shows; undefined while there is none. */
export const announcementQuestion = createStore<AnnouncementQuestion | undefined>(undefined)

/**
 * Asks the user whether customers are notified of the changes, and shows the message of the first change that would
 * send one. Resolves to true (notify), false (do not notify), or undefined when the user cancels the changes. When none
 * of the first three changes would send a message, resolves to true without a question.
 */
export async function askAnnouncement(changes: readonly AnnouncedChange[]): Promise<boolean | undefined> {
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

// The maximum number of reservations for which a message is looked up, so that the question about a change of many
// reservations appears quickly.
const maxLookups = 3

/** Returns the message of the first change that would send one; undefined when none of the first three changes does. */
export async function firstMessage(changes: readonly AnnouncedChange[]): Promise<AnnouncementMessage | undefined> {
  for (const query of changes.slice(0, maxLookups)) {
    // A failed look-up is ignored: the request that makes the change reports its own error.
    const found = await request('GET /notifications/announcement/', { query }).then(
      ({ message }) => message,
      () => null,
    )
    if (found) return found
  }
  return undefined
}
