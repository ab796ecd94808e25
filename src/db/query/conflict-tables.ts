/**
 * One row of the table `kept_conflict`: a reservation that staff decided to keep, although it breaks rules after a change.
 */
export interface KeptConflictTable {
  reservation_id: string
  /** The provider and times of the reservation when staff decided; the decision applies only while it has the same ones. */
  slot: string
  /** JSON: the names of the rules that the reservation broke when staff decided. */
  rules: string
  /** The id of the user who decided. The row remains when the user is removed. */
  person_id: string
  kept_at: number
}
