import type { Words } from '../messages.ts'

/** The words of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Historique',
    text: 'Qui a changé quoi, et quand ; avant et après.',
    when: 'Quand',
    who: 'Qui',
    what: 'Quoi',
    object: 'Objet',
    type: 'Genre de changement',
    typeHint: 'Par exemple reservation',
    objectId: 'Objet',
    objectHint: 'Par exemple r_… ou 7',
    actor: 'Par',
    actorHint: 'Identifiant d’une personne ou d’un jeton',
    empty: 'Rien n’a encore été changé.',
    undo: 'Défaire ce changement',
    undone: 'Défait : {{type}}, {{object}}.',
    isUndone: 'Défait',
    undid: 'Ceci a défait un changement antérieur.',
    asks: {
      move: {
        title: 'Remettre la réservation à sa place ?',
        text: 'Elle retrouve le créneau qu’elle avait avant. Il suffit qu’il y ait de la place, même si des règles s’y opposent à présent.',
        action: 'Remettre à sa place',
      },
      cancel: {
        title: 'Annuler de nouveau la réservation ?',
        text: 'Elle était annulée avant ce changement et le sera de nouveau ; son temps est alors libre pour d’autres.',
        action: 'Annuler la réservation',
      },
      remove: {
        title: 'Retirer ce qui a été ajouté ?',
        text: 'C’est retiré de nouveau. L’historique garde ce que c’était, mais cela ne revient pas tout seul.',
        action: 'Retirer',
      },
    },
    kinds: {
      token: 'jeton',
      command: 'commande',
      worker: 'automatique',
      user: 'administration',
      customer: 'client',
    },
  },
}
