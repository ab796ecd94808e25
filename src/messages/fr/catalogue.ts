import type { catalogue as english } from '../en/catalogue.ts'
import type { Translation } from '../message.ts'

export const catalogue: Translation<typeof english> = {
  service_has_history:
    'Cette prestation a des réservations en attente ou confirmées. Annulez ou retirez-les d’abord, ou cessez de la proposer.',
  provider_has_reservations:
    'Ce praticien a des réservations en attente ou confirmées. Annulez-les ou retirez-les d’abord, ou faites en sorte qu’il n’en accepte plus.',
  service_not_found: 'Aucune prestation n’a cet identifiant.',
  provider_not_found: 'Aucun praticien n’a cet identifiant.',
  services_not_found: 'Certaines de ces prestations n’existent pas.',
  no_services_with_ids: 'Aucune prestation n’a l’identifiant {{ids, list}}.',
  time_off_too_long: 'Doit être au plus deux ans après le début ; ajoutez une autre absence à la suite.',
  time_off_invalid: 'Cette absence n’est pas valable.',
  reservations_in_the_way: {
    one: 'Une réservation se trouve sur cette période. Déplacez-la ou annulez-la, ou gardez l’absence malgré elle.',
    other:
      '{{count, number}} réservations se trouvent sur cette période. Déplacez-les ou annulez-les, ou gardez l’absence malgré elles.',
  },
  time_off_not_found: 'Cette absence n’existe plus.',
  must_be_minutes: 'Doit être un nombre entier de minutes, de 1 à 10 080.',
  must_be_name: 'Doit être un nom de 1 à 200 caractères.',
  must_be_description: 'Doit être un texte d’au plus 10 000 caractères.',
  must_be_color: 'Doit être une couleur CSS telle que #3366cc, ou vide.',
  values_invalid: 'Certaines valeurs ne sont pas valables.',
  set_in_panel: 'Certains réglages ne se changent que dans l’administration.',
  changed_in_panel: 'Se change dans l’administration ; laissez-le tel quel.',
  differs_from_alias: 'Diffère de {{name}} envoyé à côté de data ; envoyez l’un des deux.',
  must_not_precede_first_day: 'Ne peut pas précéder le premier jour.',
  form_key_duplicate: 'Est la clé d’un champ plus haut ; chaque champ a la sienne.',
  form_options_missing: 'Indiquez ce qu’on peut choisir.',
  form_options_unwanted: 'Seul un choix a des options ; retirez-les.',
  form_option_duplicate: 'Indiquez chaque option une seule fois.',
  form_condition_not_above: 'Indiquez un champ placé plus haut.',
  form_condition_kind: 'Seul un choix ou une case peut décider d’un autre champ.',
  form_condition_not_boolean: 'Une case est cochée (true) ou non (false).',
  form_condition_not_option: 'Indiquez une des options de ce champ.',
  form_invalid: 'Le formulaire de réservation ne peut être enregistré.',
  slot_overrides_forbidden:
    'Les réglages des créneaux d’une date sont fixés par les administrateurs et les gestionnaires ; laissez-les tels quels.',
  service_name_ambiguous: 'Aucune prestation, ou plus d’une, ne s’appelle « {{name}} ».',
  provider_name_ambiguous: 'Aucun praticien, ou plus d’un, ne s’appelle « {{name}} ».',
}
