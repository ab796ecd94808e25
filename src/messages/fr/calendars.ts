import type { calendars as english } from '../en/calendars.ts'
import type { Translation } from '../message.ts'

/** The messages about connected calendars, calendar feeds and meeting links, in French. */
export const calendars: Translation<typeof english> = {
  calendar_not_found: 'Cet agenda n’est pas connecté.',
  calendar_limit: 'Un praticien a au plus {{count, number}} agendas connectés. Déconnectez-en un d’abord.',
  calendar_account_limit: 'Un praticien a au plus {{count, number}} comptes d’agenda. Déconnectez-en un d’abord.',
  calendar_app_missing: 'Un administrateur saisit d’abord l’ID et le secret client dans les réglages.',
  calendar_grant_expired: 'La connexion a pris trop de temps ou a déjà servi. Recommencez.',
  feed_not_found: 'Aucune adresse d’agenda n’a cet identifiant.',
  feed_limit: 'Il peut y avoir ici au plus {{count, number}} adresses d’agenda. Révoquez-en une d’abord.',
  meeting_link_wrong: 'Saisissez une adresse https://. Variables : {reservation}, {service}.',
  calendar_url_wrong:
    'Saisissez l’adresse d’un agenda, qui commence par https:// ou webcal:// et est accessible depuis internet. L’exploitant peut autoriser d’autres réseaux.',
  calendar_account_in_use:
    'Des agendas de {{host}} sont utilisés. Connectez l’autre serveur comme un compte à part, ou déconnectez d’abord ceux-ci.',
  slot_calendar_unread:
    'Un agenda connecté du praticien n’a pas pu être lu récemment, ou n’est pas connu si longtemps à l’avance. Choisissez un autre horaire ou un autre praticien.',
  undo_calendar: 'Un agenda connecté se modifie sur la fiche de son praticien.',
  calendar_fault_url_invalid: 'Ce n’est pas l’adresse d’un agenda.',
  calendar_fault_not_https: 'L’adresse doit commencer par https://.',
  calendar_fault_address_not_public:
    'L’adresse n’est pas sur l’internet public. L’exploitant peut autoriser d’autres réseaux.',
  calendar_fault_name_not_resolved: 'Aucun serveur ne porte ce nom.',
  calendar_fault_connection_failed: 'Le serveur ne répond pas.',
  calendar_fault_certificate_invalid: 'Le certificat du serveur n’est pas valide.',
  calendar_fault_timeout: 'Le serveur a mis trop longtemps à répondre.',
  calendar_fault_aborted: 'La lecture a été interrompue et sera répétée.',
  calendar_fault_sign_in_refused: 'Le serveur refuse l’accès. Vérifiez l’adresse ou le mot de passe.',
  calendar_fault_access_ended: 'Le serveur refuse l’accès. Reconnectez-vous au compte.',
  calendar_fault_not_found: 'Il n’y a plus d’agenda à cette adresse.',
  calendar_fault_server_error: 'Le serveur signale une erreur ({{detail}}).',
  calendar_fault_too_many_redirects: 'Le serveur redirige trop souvent.',
  calendar_fault_too_large: 'L’agenda dépasse 50 Mo.',
  calendar_fault_not_a_calendar: 'L’adresse ne mène pas à un agenda, mais par exemple à une page.',
  calendar_fault_malformed: 'Le fichier est incomplet ou contredit la norme.',
  calendar_fault_unknown_zone: 'Un événement est dans un fuseau horaire inconnu : {{detail}}.',
  calendar_fault_too_many_events: 'L’agenda a trop d’événements ou de répétitions.',
  calendar_fault_too_complex: 'Les répétitions d’un événement n’ont pas pu être calculées à temps.',
  calendar_fault_no_key: 'L’adresse ne peut pas être déchiffrée : pas de clé, ou un autre DAYBOOK_SECRET_KEY.',
  check_calendars: 'agendas connectés',
  calendars_read: {
    one: '{{count, number}} agenda, lu récemment.',
    other: '{{count, number}} agendas, tous lus récemment.',
  },
  calendars_failing: {
    one: '{{count, number}} agenda n’a pas pu être lu la dernière fois ; voir Praticiens → Agendas dans l’administration.',
    other:
      '{{count, number}} agendas n’ont pas pu être lus la dernière fois ; voir Praticiens → Agendas dans l’administration.',
  },
  calendars_too_old: {
    one: '{{count, number}} agenda n’a pas été lu depuis trop longtemps, si bien que son praticien n’est pas proposé ; voir Praticiens → Agendas dans l’administration.',
    other:
      '{{count, number}} agendas n’ont pas été lus depuis trop longtemps, si bien que leurs praticiens ne sont pas proposés ; voir Praticiens → Agendas dans l’administration.',
  },
  check_destinations: 'agendas dans lesquels des réservations sont inscrites',
  destinations_written: {
    one: '{{count, number}} agenda, tous les événements inscrits.',
    other: '{{count, number}} agendas, tous les événements inscrits.',
  },
  destinations_failing: {
    one: 'La dernière écriture dans {{count, number}} agenda a échoué ; voir Praticiens → Agendas dans l’administration.',
    other:
      'La dernière écriture dans {{count, number}} agendas a échoué ; voir Praticiens → Agendas dans l’administration.',
  },
}
