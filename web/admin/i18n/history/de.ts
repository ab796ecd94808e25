import type { Words } from '../messages.ts'

/** The words of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Verlauf',
    text: 'Wer wann was geändert hat; vorher und nachher.',
    when: 'Wann',
    who: 'Wer',
    what: 'Was',
    object: 'Objekt',
    type: 'Art der Änderung',
    typeHint: 'Zum Beispiel reservation',
    objectId: 'Objekt',
    objectHint: 'Zum Beispiel r_… oder 7',
    actor: 'Von',
    actorHint: 'Kennung von Person oder Token',
    empty: 'Es wurde noch nichts geändert.',
    undo: 'Diese Änderung rückgängig machen',
    undone: 'Rückgängig gemacht: {{type}}, {{object}}.',
    isUndone: 'Rückgängig gemacht',
    undid: 'Das machte eine frühere Änderung rückgängig.',
    asks: {
      move: {
        title: 'Buchung zurückverschieben?',
        text: 'Sie kommt dorthin zurück, wo sie vorher war. Nur Platz muss dafür sein, auch wenn Regeln inzwischen dagegen sind.',
        action: 'Zurückverschieben',
      },
      cancel: {
        title: 'Buchung wieder absagen?',
        text: 'Vor dieser Änderung war sie abgesagt und ist es dann wieder; ihre Zeit ist für andere frei.',
        action: 'Buchung absagen',
      },
      remove: {
        title: 'Hinzugefügtes entfernen?',
        text: 'Es wird wieder weggenommen. Der Verlauf behält, was es war, aber es kommt nicht von selbst zurück.',
        action: 'Entfernen',
      },
    },
    kinds: {
      token: 'Token',
      command: 'Befehl',
      worker: 'von selbst',
      user: 'Verwaltung',
      customer: 'Kunde',
    },
  },
}
