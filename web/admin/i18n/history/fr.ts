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
    anyType: 'Tous',
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
    events: {
      reservation: {
        created: 'Réservation ajoutée',
        updated: 'Réservation modifiée',
        rescheduled: 'Réservation déplacée',
        pending: 'Réservation de nouveau en attente',
        confirmed: 'Réservation confirmée',
        cancelled: 'Réservation annulée',
        restored: 'Réservation rétablie',
        removed: 'Réservation supprimée',
        attendance: 'Présence enregistrée',
        zone_changed: 'Réservation touchée par un changement de règles horaires',
      },
      customer: {
        created: 'Client ajouté',
        updated: 'Client modifié',
        removed: 'Client supprimé',
        merged: 'Clients fusionnés',
        erased: 'Données du client effacées',
      },
      customer_note: {
        created: 'Note ajoutée',
        removed: 'Note supprimée',
      },
      sms_consent: {
        given: 'Messages courts acceptés',
        withdrawn: 'Consentement aux messages courts retiré',
      },
      service: {
        created: 'Prestation ajoutée',
        updated: 'Prestation modifiée',
        removed: 'Prestation supprimée',
      },
      provider: {
        created: 'Praticien ajouté',
        updated: 'Praticien modifié',
        removed: 'Praticien supprimé',
      },
      time_off: {
        created: 'Absence ajoutée',
        updated: 'Absence modifiée',
        removed: 'Absence supprimée',
      },
      host_user: {
        created: 'Utilisateur du site web ajouté',
      },
      token: {
        created: 'Jeton d’API créé',
        revoked: 'Jeton d’API révoqué',
      },
      calendar: {
        created: 'Agenda connecté',
        updated: 'Agenda connecté modifié',
        removed: 'Agenda déconnecté',
        feed_created: 'Adresse d’agenda créée',
        feed_revoked: 'Adresse d’agenda révoquée',
      },
      webhook: {
        created: 'Webhook ajouté',
        updated: 'Webhook modifié',
        removed: 'Webhook supprimé',
        secret_rotated: 'Secret d’un webhook remplacé',
        disabled: 'Webhook désactivé',
        failing: 'Webhook en échec depuis un jour',
      },
      site: {
        updated: 'Réglages de l’établissement modifiés',
        secret_rotated: 'Secret des identifiants remplacé',
        backup_overdue: 'Sauvegarde en retard',
      },
      payment: {
        paid: 'Paiement reçu',
        expired: 'Paiement expiré',
        returned: 'Paiement tardif restitué',
        refunded: 'Remboursement effectué',
        refund_failed: 'Remboursement échoué',
      },
      payment_settings: {
        updated: 'Réglages des paiements modifiés',
      },
      notification_settings: {
        updated: 'Réglages des notifications modifiés',
      },
      notification_template: {
        updated: 'Texte d’un message modifié',
      },
      booking_page: {
        updated: 'Réglages de la page de réservation modifiés',
        link_created: 'Lien privé de réservation créé',
        link_revoked: 'Lien privé de réservation révoqué',
        deletion_requested: 'Le client a demandé la suppression de ses données',
        deletion_declined: 'Demande de suppression refusée',
        host_secret_set: 'Secret du site hôte créé',
        host_secret_removed: 'Secret du site hôte supprimé',
      },
      user: {
        created: 'Utilisateur ajouté',
        updated: 'Utilisateur modifié',
        removed: 'Utilisateur supprimé',
        invited: 'Lien de mot de passe créé',
        password_set: 'Mot de passe modifié',
        second_factor_changed: 'Second facteur modifié',
        signed_in: 'Connexion',
        signed_out: 'Déconnexion',
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
