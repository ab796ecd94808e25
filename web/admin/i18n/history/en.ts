/** Texts of the history. */
export const history = {
  history: {
    title: 'History',
    text: 'Who changed what and when, with the values before and after.',
    when: 'When',
    who: 'Who',
    what: 'What',
    object: 'Object',
    type: 'Type of change',
    typeHint: 'For example reservation or service.edited',
    objectId: 'Object',
    objectHint: 'For example r_… or 7',
    actor: 'By',
    actorHint: 'ID of a user or token',
    empty: 'No changes yet.',
    undo: 'Undo this change',
    undone: 'Undone: {{type}}, {{object}}.',
    isUndone: 'Undone',
    undid: 'This entry undid an earlier change.',
    asks: {
      move: {
        title: 'Move the reservation back?',
        text: 'The reservation moves back to its previous time. The time must be free; other rules are not applied.',
        action: 'Move back',
      },
      cancel: {
        title: 'Cancel the reservation again?',
        text: 'The reservation was cancelled before this change. It is cancelled again, and its time becomes available to others.',
        action: 'Cancel reservation',
      },
      remove: {
        title: 'Remove what was added?',
        text: 'What this change added is removed. The history keeps its values, but removing it cannot be undone.',
        action: 'Remove',
      },
    },
    kinds: {
      token: 'via API',
      command: 'by command line',
      worker: 'automatically',
      user: 'in the panel',
      customer: 'by the customer',
    },
  },
}
