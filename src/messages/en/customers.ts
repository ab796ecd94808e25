/** Customers, their notes, searching and merging them. */
export const customers = {
  customer_has_reservations: 'This customer has pending or confirmed reservations. Cancel or remove those first.',
  customer_has_coming_reservations: 'This customer has pending or confirmed reservations to come. Cancel those first.',
  customer_not_found: 'No customer has this id.',
  merge_with_itself: 'A customer cannot be merged with itself.',
  same_customer: 'Is the same customer; choose another one.',
  too_many_notes: 'Keeps at most {{count, number}} notes; remove one first.',
  note_not_found: 'This note no longer exists.',
  customer_status_forbidden: 'Your role may not see the status of customers.',
  leave_out_customer_status: 'Leave it out: your role may not see the status of customers.',
  narrow_by_search: 'Is beyond the first 10,000 entries; narrow the list by a search, or reverse its order.',
  search_too_broad: 'More than 10,000 customers match.',
  narrow_customer_search: 'Matches more than 10,000 customers; type more of the name, the address or the number.',
  contact_missing: 'Enter an e-mail address or a phone number.',
  email_of_nobody: 'Belongs to a customer without an e-mail address; send a real one.',
} as const
