import type { history as english } from '../en/history.ts'
import type { Translation } from '../message.ts'

export const history: Translation<typeof english> = {
  undo_secret_rotated: 'Un secret remplacé ne revient pas.',
  undo_removed: 'Ce qui a été retiré ne revient pas ; ajoutez-le de nouveau.',
  undo_person: 'Les personnes, leurs mots de passe et leurs sessions se changent sous Équipe et Profil.',
  undo_token: 'Un jeton reste tel quel ; faites-en un autre.',
  undo_zone_changed: 'Cette entrée signale seulement une autre heure locale ; la réservation n’a pas été changée.',
  undo_customer_merged: 'Des clients fusionnés ne peuvent plus être séparés.',
  undo_customer_erased: 'Ce qui a été effacé est perdu pour de bon.',
  undo_host_user: 'Un utilisateur du site web ne se retire pas ici.',
  undo_entry_erased: 'Ce qui figurait ici a été effacé.',
  undone_already: 'Ceci a déjà été défait.',
  changed_since:
    'Changé de nouveau depuis : {{fields, list}}. Défaites d’abord le changement suivant, ou corrigez à la main.',
  present_already: 'C’est déjà rétabli.',
  entry_not_found: 'L’historique n’a pas cette entrée.',
  must_be_seq: 'Doit être la seq d’un événement, ou manquer pour commencer au début.',
}
