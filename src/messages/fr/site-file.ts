import type { siteFile as english } from '../en/site-file.ts'
import type { Translation } from '../message.ts'

export const siteFile: Translation<typeof english> = {
  site_file_not_json: 'Le fichier n’est pas du JSON valable : {{fault}}',
  site_file_invalid: {
    one: 'Rien n’a été changé : il y a une erreur dans le fichier.',
    other: 'Rien n’a été changé : il y a {{count, number}} erreurs dans le fichier.',
  },
  duplicate_key: 'Est aussi la clé de {{kind}}[{{at}}] ; les clés sont uniques.',
  duplicate_id: 'Est aussi l’identifiant de {{kind}}[{{at}}] ; les identifiants sont uniques.',
  duplicate_name: 'Porte le même nom que {{kind}}[{{at}}] ; donnez une clé à chacun pour les distinguer.',
  key_taken: 'Est déjà la clé de {{id}}.',
  ambiguous_match: 'Correspond à {{count, number}} déjà présents ({{ids, list}}) ; dites lequel par son identifiant.',
  same_row: 'Désigne la même chose que {{kind}}[{{at}}].',
  override_without_effect: 'Ne change rien : indiquez hours, slot ou les deux.',
  override_without_dates: 'Demande soit date, soit from et to.',
  ends_before_start: 'Précède from ({{date}}).',
  unknown_service_reference:
    'Il n’y a aucune prestation avec la clé ou l’identifiant « {{reference}} », ni dans ce fichier ni sur le site.',
  end_minutes_out_of_range: 'Doit suivre le début, d’au plus 10 080 minutes.',
  seats_taken: 'Toutes les places de ce créneau sont prises ({{count, number}}).',
  overlaps_entry: 'Chevauche reservations[{{at}}] dans le temps de {{name}}, marges comprises.',
  overlaps_hold: 'Chevauche un créneau mis de côté dans le temps de {{name}}, marges comprises.',
  overlaps_reservation: 'Chevauche la réservation {{id}} dans le temps de {{name}}, marges comprises.',
  unknown_provider_reference:
    'Il n’y a aucun praticien avec la clé ou l’identifiant « {{reference}} », ni dans ce fichier ni sur le site.',
  unknown_customer_reference:
    'Il n’y a aucun client avec la clé ou l’identifiant « {{reference}} », ni dans ce fichier ni sur le site.',
}
