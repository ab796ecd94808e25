import type { Words } from '../messages.ts'

/** Texts of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Verlauf',
    text: 'Wer wann was geändert hat, mit den Werten vorher und nachher.',
    when: 'Wann',
    who: 'Wer',
    what: 'Was',
    object: 'Objekt',
    type: 'Art der Änderung',
    typeHint: 'Zum Beispiel reservation',
    objectId: 'Objekt',
    objectHint: 'Zum Beispiel r_… oder 7',
    actor: 'Von',
    actorHint: 'Kennung eines Benutzers oder Tokens',
    empty: 'Noch keine Änderungen.',
    undo: 'Diese Änderung rückgängig machen',
    undone: 'Rückgängig gemacht: {{type}}, {{object}}.',
    isUndone: 'Rückgängig gemacht',
    undid: 'Dieser Eintrag hat eine frühere Änderung rückgängig gemacht.',
    asks: {
      move: {
        title: 'Buchung zurückverschieben?',
        text: 'Die Buchung wird auf die vorherige Zeit zurückverschoben. Die Zeit muss frei sein; andere Regeln werden nicht angewendet.',
        action: 'Zurückverschieben',
      },
      cancel: {
        title: 'Buchung wieder stornieren?',
        text: 'Vor dieser Änderung war die Buchung storniert. Sie wird wieder storniert, und ihre Zeit wird für andere frei.',
        action: 'Buchung stornieren',
      },
      remove: {
        title: 'Hinzugefügten Eintrag entfernen?',
        text: 'Was mit dieser Änderung hinzugefügt wurde, wird entfernt. Der Verlauf behält die Werte, aber das Entfernen lässt sich nicht rückgängig machen.',
        action: 'Entfernen',
      },
    },
    kinds: {
      token: 'über die API',
      command: 'über die Kommandozeile',
      worker: 'automatisch',
      user: 'in der Verwaltung',
      customer: 'durch den Kunden',
    },
  },
}
