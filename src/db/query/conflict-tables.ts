/**
 * One row of the table `kept_conflict`: a reservation that staff decided to keep, although it breaks rules after a change.
 */
export interface KeptConflictTable {
  reservation_id: string
  /** The provider and the times of the reservation when staff decided; the decision is void once either has changed. */
  slot: string
  /** JSON: the names of the rules that the reservation broke when staff decided. */
  rules: string
  /** The id of the user who decided. The row remains when the user is removed. */
  person_id: string
  kept_at: number
}
