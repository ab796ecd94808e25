import type { Words } from '../messages.ts'

/** Texts of the screen that plans the absence of a provider. */
export const absence: Pick<Words, 'absence'> = {
  absence: {
    title: 'Planifier une absence',
    text: 'Enregistrez l’absence d’un praticien et déplacez les réservations concernées. Heures : {{zone}}.',
    from: 'Premier jour',
    to: 'Dernier jour',
    choose: 'Choisissez le praticien absent.',
    record: 'Enregistrer l’absence',
    recorded: '{{name}} est noté absent : aucune nouvelle réservation pendant ce temps.',
    notRecorded:
      '{{name}} peut encore être réservé pendant ce temps. Enregistrez l’absence pour empêcher de nouvelles réservations.',
    affected: 'Réservations concernées',
    none: 'Aucune réservation à venir n’est concernée.',
    more: 'Seules les cent premières sont affichées. Les suivantes apparaissent une fois celles-ci déplacées.',
    acceptAll_one: 'Accepter {{count}} proposition',
    acceptAll_other: 'Accepter {{count}} propositions',
    accept: 'Accepter',
    suggestion: 'Proposition pour {{name}}',
    sameTime: 'Même heure',
    otherTimes: 'Autres horaires',
    with: '{{time}}, {{name}}',
    noSuggestion: 'Aucun horaire libre. Utilisez le menu pour la déplacer ou l’annuler.',
    replaced: 'Il y a une nouvelle proposition.',
    progress: 'Déplacement : {{done}} sur {{all}}',
    moved_one: '{{count}} réservation déplacée.',
    moved_other: '{{count}} réservations déplacées.',
    movedBack_one: '{{count}} réservation remise à sa place.',
    movedBack_other: '{{count}} réservations remises à leur place.',
    doneTitle: 'Terminé',
    doneText: 'Annulez une modification ou toutes. Les clients prévenus le sont à nouveau.',
    undoAll: 'Tout annuler',
  },
}
