import type { SaidOf } from '../said.ts'
import type { booking as english } from './en.ts'

/** What the service says of booking: verdicts, refusals, reasons. */
export const booking: SaidOf<typeof english> = {
  'The service is offered.': 'La prestation est proposée.',
  'This service is not offered at the moment.': 'Cette prestation n’est pas proposée en ce moment.',
  'It starts at or after the earliest start, {{time}}.': 'Le début ne précède pas le premier possible, {{time}}.',
  'It starts too soon: the earliest start is {{time}}. Choose a later one.':
    'Le début est trop proche : au plus tôt {{time}}. Choisissez-en un plus tard.',
  'It starts at or before the latest start, {{time}}.': 'Le début ne dépasse pas le dernier possible, {{time}}.',
  'It is too far ahead: the latest start is {{time}}. Choose an earlier one.':
    'C’est trop longtemps à l’avance : au plus tard {{time}}. Choisissez un début plus proche.',
  'The provider is away at this time. Choose another time.':
    'Le praticien est absent à cette heure. Choisissez un autre horaire.',
  'No time off is in the way.': 'Aucune absence ne s’y oppose.',
  'The provider is busy at this time. Choose another time.':
    'Le praticien est pris à cette heure. Choisissez un autre horaire.',
  'No connected calendar is in the way.': 'Aucun agenda connecté ne s’y oppose.',
  'The provider has another booking then. Choose another time.':
    'Le praticien a alors une autre réservation. Choisissez un autre horaire.',
  'No other booking is in the way.': 'Aucune autre réservation ne s’y oppose.',
  'No limit is reached.': 'Aucune limite n’est atteinte.',
  'The provider takes no more bookings of this service that day. Choose another day.':
    'Le praticien ne prend plus de réservations de cette prestation ce jour-là. Choisissez un autre jour.',
  'This service takes no more bookings that day. Choose another day.':
    'Cette prestation ne prend plus de réservations ce jour-là. Choisissez un autre jour.',
  'The provider takes no more bookings of this service that week. Choose another week.':
    'Le praticien ne prend plus de réservations de cette prestation cette semaine-là. Choisissez une autre semaine.',
  'The customer has as many bookings of this service that day as it allows. Choose another day.':
    'Le client a déjà ce jour-là autant de réservations de cette prestation que permis. Choisissez un autre jour.',
  'The provider does not take part in this service. Choose another provider.':
    'Le praticien ne participe pas à cette prestation. Choisissez un autre praticien.',
  'The provider does not handle this service. Choose another one.':
    'Le praticien n’assure pas cette prestation. Choisissez-en un autre.',
  'All providers of this service are booked together, under provider {{id}}.':
    'Tous les praticiens de cette prestation se réservent ensemble, au nom du praticien {{id}}.',
  'The provider handles this service.': 'Le praticien assure cette prestation.',
  'It is one of the starts of an opening window.': 'C’est un des débuts prévus dans les horaires d’ouverture.',
  'An appointment of this service takes {{#minutes}} minutes here. Ask for the times on offer.':
    'Un rendez-vous de cette prestation dure ici {{#minutes}} minutes. Consultez les horaires proposés.',
  'It does not lie within the opening hours. Choose another time.':
    'Ce n’est pas dans les horaires d’ouverture. Choisissez un autre horaire.',
  'Appointments begin every {{#minutes}} minutes from the start of opening hours. Choose one of those times.':
    'Les rendez-vous commencent toutes les {{#minutes}} minutes à partir de l’ouverture. Choisissez un de ces horaires.',
  'There is a seat left.': 'Il reste une place.',
  'Every seat of this slot is taken. Choose another time.':
    'Toutes les places de ce créneau sont prises. Choisissez un autre horaire.',
  'This slot is fully booked. Choose another time.': 'Ce créneau est complet. Choisissez un autre horaire.',
  'There is no such provider.': 'Ce praticien n’existe pas.',
  'There is no such service.': 'Cette prestation n’existe pas.',
  'This customer may not be given new reservations.': 'Ce client ne peut pas recevoir de nouvelles réservations.',
  'The provider is no longer free at this time.': 'Le praticien n’est plus libre à cette heure.',
  'The availabilityId does not belong to this service, provider, start and end. Ask for availability again.':
    'L’availabilityId ne correspond pas à cette prestation, ce praticien, ce début et cette fin. Redemandez les horaires libres.',
  'The price of this slot has changed. Ask for availability again.':
    'Le prix de ce créneau a changé. Demandez à nouveau les disponibilités.',
  'The availabilityId was shown too long ago. Ask for availability again.':
    'L’availabilityId date de trop longtemps. Redemandez les horaires libres.',
  'By its wall time it has begun already.': 'D’après l’heure locale, elle a déjà commencé.',
  'The start and end must lie between the years 1970 and 9999.':
    'Le début et la fin doivent être entre les années 1970 et 9999.',
  'Must lie between the years 1970 and 9999, in Unix seconds.':
    'Doit être entre les années 1970 et 9999, en secondes Unix.',
  'The end must be later than the start.': 'La fin doit suivre le début.',
  'Must be later than start.': 'Doit suivre le début.',
  'The service {{id}} of this reservation is no longer there.':
    'La prestation {{id}} de cette réservation n’existe plus.',
  'Reservations of this site are never removed. Cancel it instead.':
    'Les réservations de ce site ne sont jamais retirées. Annulez-la plutôt.',
  'This reservation is still active. Cancel it before removing it.':
    'Cette réservation est encore active. Annulez-la avant de la retirer.',
  'This customer has pending or confirmed reservations. Cancel or remove those first.':
    'Ce client a des réservations en attente ou confirmées. Annulez ou retirez-les d’abord.',
  'This customer has pending or confirmed reservations to come. Cancel those first.':
    'Ce client a encore des réservations à venir, en attente ou confirmées. Annulez-les d’abord.',
  'This service has pending or confirmed reservations. Cancel or remove those first, or switch it off in the panel.':
    'Cette prestation a des réservations en attente ou confirmées. Annulez ou retirez-les d’abord, ou cessez de la proposer.',
  'This provider has pending or confirmed reservations. Cancel or remove those first, or have the provider take no bookings.':
    'Ce praticien a des réservations en attente ou confirmées. Annulez-les ou retirez-les d’abord, ou faites en sorte qu’il n’en accepte plus.',
  'No service has this id.': 'Aucune prestation n’a cet identifiant.',
  'No provider has this id.': 'Aucun praticien n’a cet identifiant.',
  'No customer has this id.': 'Aucun client n’a cet identifiant.',
  'No reservation has this id.': 'Aucune réservation n’a cet identifiant.',
  'Some of these services do not exist.': 'Certaines de ces prestations n’existent pas.',
  'No service has the id {{ids}}.': 'Aucune prestation n’a l’identifiant {{ids}}.',
  'A customer cannot be merged with itself.': 'Un client ne peut pas être fusionné avec lui-même.',
  'Is the same customer; choose another one.': 'C’est le même client ; choisissez-en un autre.',
  'Keeps at most {{#count}} notes; remove one first.': 'On garde au plus {{#count}} notes ; supprimez-en une d’abord.',
  'This note is gone already.': 'Cette note n’est déjà plus là.',
  'The status of customers is not for your role.': 'Le statut des clients n’est pas pour votre rôle.',
  'Leave it out: the status of customers is not for your role.':
    'Laissez-le de côté : le statut des clients n’est pas pour votre rôle.',
  'Provider {{listed}} was listed and is still free; the rule would now pick provider {{picked}}. {{=because}}':
    'Le praticien {{listed}} était dans la liste et reste libre ; la règle choisirait maintenant le praticien {{picked}}. {{=because}}',
  'Provider {{id}} was asked for.': 'Le praticien {{id}} a été demandé.',
  'All providers of the service are needed at once; provider {{id}} has the lowest id.':
    'La prestation demande tous ses praticiens à la fois ; le praticien {{id}} a le plus petit numéro.',
  'Provider {{id}} has never been assigned.': 'Le praticien {{id}} n’a encore reçu aucune réservation.',
  'Provider {{id}} was assigned least recently, at {{time}}.':
    'Le praticien {{id}} n’a pas reçu de réservation depuis le plus longtemps, la dernière à {{time}}.',
  'Provider {{id}} has the fewest minutes reserved that day: {{#minutes}}.':
    'Le praticien {{id}} a le moins de minutes réservées ce jour-là : {{#minutes}}.',
  'Provider {{id}} has the highest priority of those free: {{#priority}}.':
    'Le praticien {{id}} a la plus haute priorité parmi les libres : {{#priority}}.',
  'Provider {{id}} is furthest below its share: weight {{#weight}}, assigned {{#count}} times.':
    'Le praticien {{id}} est le plus en dessous de sa part : poids {{#weight}}, attribué {{#count}} fois.',
  'Provider {{id}} was drawn by lot.': 'Le praticien {{id}} a été tiré au sort.',
  'Booked anyway, against: {{rules}}.': 'Réservé quand même, contre : {{rules}}.',
  'Must be at most two years after start; add another time off behind.':
    'Doit être au plus deux ans après le début ; ajoutez un autre temps libre à la suite.',
  'The calendar shows a stretch of time of at most 46 days.': 'Le calendrier montre au plus 46 jours.',
  'Must be later than from, by 46 days at the most.': 'Doit être après le début, de 46 jours au plus.',
  'The calendar shows at most {{#count}} providers at once.':
    'Le calendrier montre au plus {{#count}} praticiens à la fois.',
  'Name at most {{#count}}.': 'Nommez-en au plus {{#count}}.',
  'No appointment can end then.': 'Aucun rendez-vous ne peut finir alors.',
  'Must be later than start, by a week at the most.': 'Doit être après le début, d’une semaine au plus.',
  'Booking against the rules is for those who run the site; ask one of them.':
    'Réserver contre les règles est pour ceux qui gèrent le site ; demandez à l’un d’eux.',
  'This is no stretch of time off.': 'Ce n’est pas un temps libre.',
  'One reservation lies in this time. Move or cancel it, or keep the time off despite it.':
    'Une réservation se trouve dans ce temps. Déplacez-la ou annulez-la, ou gardez le temps libre malgré elle.',
  '{{#count}} reservations lie in this time. Move or cancel them, or keep the time off despite them.':
    '{{#count}} réservations se trouvent dans ce temps. Déplacez-les ou annulez-les, ou gardez le temps libre malgré elles.',
  'This time off is gone already.': 'Ce temps libre n’est déjà plus là.',
  'Too many requests of this client are in flight; wait for them first.':
    'Trop de requêtes de cet appareil ou de ce réseau sont en cours ; attendez qu’elles se terminent.',
  'You have too many screens of the panel open; close some of them.':
    'Vous avez trop de fenêtres du panneau ouvertes ; fermez-en quelques-unes.',
  'Too many screens listen for changes; try later.':
    'Trop de fenêtres attendent des changements ; réessayez plus tard.',
  'A secret that was replaced does not come back.': 'Un secret remplacé ne revient pas.',
  'What was removed does not come back; add it again.': 'Ce qui a été retiré ne revient pas ; ajoutez-le de nouveau.',
  'People, their passwords and sessions are changed under Team and Profile.':
    'Les personnes, leurs mots de passe et leurs sessions se changent sous Équipe et Profil.',
  'A token stays as it is; make another one.': 'Un jeton reste tel quel ; faites-en un autre.',
  'This only told of a changed wall time; the reservation stayed as it was.':
    'Ceci signalait seulement une autre heure ; la réservation est restée telle quelle.',
  'Customers who were merged are not taken apart again.': 'Des clients fusionnés ne sont pas séparés de nouveau.',
  'What was erased is gone for good.': 'Ce qui a été effacé est perdu pour de bon.',
  'A user of the website is not removed here.': 'Un utilisateur du site web ne se retire pas ici.',
  'What stood here was erased.': 'Ce qui figurait ici a été effacé.',
  'This was undone already.': 'Ceci a déjà été défait.',
  'Changed again since: {{fields}}. Undo the later change first, or change it by hand.':
    'Changé de nouveau depuis : {{fields}}. Défaites d’abord le changement suivant, ou corrigez à la main.',
  'It is there again already.': 'C’est déjà de retour.',
  'The history has no such entry.': 'L’historique n’a pas cette entrée.',
}
