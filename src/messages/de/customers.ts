import type { customers as english } from '../en/customers.ts'
import type { Translation } from '../message.ts'

export const customers: Translation<typeof english> = {
  customer_has_reservations:
    'Dieser Kunde hat offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab, oder entfernen Sie sie.',
  customer_has_coming_reservations:
    'Dieser Kunde hat noch kommende offene oder bestätigte Buchungen. Sagen Sie diese zuerst ab.',
  customer_not_found: 'Kein Kunde hat diese Kennung.',
  merge_with_itself: 'Ein Kunde kann nicht mit sich selbst zusammengeführt werden.',
  same_customer: 'Das ist derselbe Kunde; wählen Sie einen anderen.',
  too_many_notes: 'Es gibt höchstens {{count, number}} Notizen; entfernen Sie zuerst eine.',
  note_not_found: 'Diese Notiz gibt es nicht mehr.',
  customer_status_forbidden: 'Ihre Rolle darf den Status von Kunden nicht sehen.',
  leave_out_customer_status: 'Lassen Sie das weg: Ihre Rolle darf den Status von Kunden nicht sehen.',
  narrow_by_search:
    'Liegt hinter den ersten 10.000 Einträgen; grenzen Sie die Liste durch eine Suche ein, oder kehren Sie ihre Reihenfolge um.',
  search_too_broad: 'Mehr als 10.000 Kunden passen dazu.',
  narrow_customer_search:
    'Passt auf mehr als 10.000 Kunden; geben Sie mehr vom Namen, von der Adresse oder der Nummer ein.',
  contact_missing: 'Geben Sie eine E-Mail-Adresse oder eine Telefonnummer ein.',
  email_of_nobody: 'Gehört zu einem Kunden ohne E-Mail-Adresse; geben Sie eine echte an.',
}
