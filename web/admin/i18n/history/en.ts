/** The words of the history. */
export const history = {
  history: {
    title: 'History',
    text: 'Who changed what, and when; before and after.',
    when: 'When',
    who: 'Who',
    what: 'What',
    object: 'Object',
    type: 'Kind of change',
    typeHint: 'For example reservation or service.edited',
    objectId: 'Object',
    objectHint: 'For example r_… or 7',
    actor: 'By',
    actorHint: 'Id of a person or token',
    empty: 'Nothing has been changed yet.',
    undo: 'Undo this change',
    undone: 'Undone: {{type}}, {{object}}.',
    isUndone: 'Undone',
    undid: 'This undid an earlier change.',
    asks: {
      move: {
        title: 'Move the reservation back?',
        text: 'It goes back into the slot it had before. Only room for it is needed, whatever rules say no by now.',
        action: 'Move back',
      },
      cancel: {
        title: 'Cancel the reservation again?',
        text: 'It was cancelled before this change, and will be again; its time is then free for others.',
        action: 'Cancel the reservation',
      },
      remove: {
        title: 'Remove what was added?',
        text: 'It is taken away again. The history keeps what it was, but it does not come back by itself.',
        action: 'Remove',
      },
    },
    kinds: {
      token: 'token',
      command: 'command',
      worker: 'by itself',
      user: 'panel',
      customer: 'customer',
    },
  },
}
