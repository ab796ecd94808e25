import type { Words } from '../messages.ts'

/** Texts of the history. */
export const history: Pick<Words, 'history'> = {
  history: {
    title: 'Historique',
    text: 'Qui a modifié quoi et quand, avec les valeurs avant et après.',
    when: 'Quand',
    who: 'Qui',
    what: 'Quoi',
    object: 'Objet',
    type: 'Type de modification',
    typeHint: 'Par exemple reservation',
    objectId: 'Objet',
    objectHint: 'Par exemple r_… ou 7',
    actor: 'Par',
    actorHint: 'Identifiant d’un utilisateur ou d’un jeton',
    empty: 'Aucune modification pour le moment.',
    undo: 'Annuler cette modification',
    undone: 'Annulé : {{type}}, {{object}}.',
    isUndone: 'Annulé',
    undid: 'Cette entrée a annulé une modification antérieure.',
    asks: {
      move: {
        title: 'Remettre la réservation à son horaire précédent ?',
        text: 'La réservation revient à son horaire précédent. Il doit être libre ; les autres règles ne s’appliquent pas.',
        action: 'Remettre',
      },
      cancel: {
        title: 'Annuler à nouveau la réservation ?',
        text: 'La réservation était annulée avant cette modification. Elle l’est de nouveau et son horaire se libère.',
        action: 'Annuler la réservation',
      },
      remove: {
        title: 'Supprimer ce qui a été ajouté ?',
        text: 'Ce que cette modification a ajouté est supprimé. L’historique garde les valeurs, mais la suppression est irréversible.',
        action: 'Supprimer',
      },
    },
    kinds: {
      token: 'via l’API',
      command: 'en ligne de commande',
      worker: 'automatiquement',
      user: 'dans l’administration',
      customer: 'par le client',
    },
  },
}
