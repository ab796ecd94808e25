import type { customers as english } from '../en/customers.ts'
import type { Translation } from '../message.ts'

export const customers: Translation<typeof english> = {
  customer_has_reservations: 'Ce client a des réservations en attente ou confirmées. Annulez ou retirez-les d’abord.',
  customer_has_coming_reservations:
    'Ce client a encore des réservations à venir, en attente ou confirmées. Annulez-les d’abord.',
  customer_not_found: 'Aucun client n’a cet identifiant.',
  merge_with_itself: 'Un client ne peut pas être fusionné avec lui-même.',
  same_customer: 'C’est le même client ; choisissez-en un autre.',
  too_many_notes: 'On garde au plus {{count, number}} notes ; supprimez-en une d’abord.',
  note_not_found: 'Cette note n’existe plus.',
  customer_status_forbidden: 'Votre rôle ne permet pas de voir le statut des clients.',
  leave_out_customer_status: 'Laissez-le de côté : votre rôle ne permet pas de voir le statut des clients.',
  narrow_by_search:
    'Se trouve après les 10 000 premières entrées ; resserrez la liste par une recherche, ou inversez son ordre.',
  search_too_broad: 'Plus de 10 000 clients correspondent.',
  narrow_customer_search: 'Correspond à plus de 10 000 clients ; saisissez plus du nom, de l’adresse ou du numéro.',
  contact_missing: 'Saisissez une adresse e-mail ou un numéro de téléphone.',
  email_of_nobody: 'Appartient à un client sans adresse e-mail ; envoyez-en une vraie.',
}
