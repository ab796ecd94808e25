/** The history, and why a change cannot be undone. */
export const history = {
  undo_secret_rotated: 'A secret that was replaced does not come back.',
  undo_removed: 'What was removed does not come back; add it again.',
  undo_person: 'People, their passwords and sessions are changed under Team and Profile.',
  undo_token: 'A token stays as it is; make another one.',
  undo_zone_changed: 'This entry only reports a changed wall time; the reservation was not changed.',
  undo_customer_merged: 'Merged customers cannot be separated again.',
  undo_customer_erased: 'What was erased is gone for good.',
  undo_host_user: 'A user of the website is not removed here.',
  undo_entry_erased: 'What stood here was erased.',
  undone_already: 'This was undone already.',
  changed_since: 'Changed again since: {{fields, list}}. Undo the later change first, or change it by hand.',
  present_already: 'It was restored already.',
  entry_not_found: 'The history has no such entry.',
  must_be_seq: 'Must be the seq of an event, or left out to begin at the beginning.',
} as const
