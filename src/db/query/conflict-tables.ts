/** One row of the table `kept_conflict`: a reservation that staff decided to keep, although it breaks rules after a change. */
export interface KeptConflictTable {
  reservation_id: string
  /** The provider and the times for which the reservation is kept. */
  slot: string
  /** JSON: the names of the broken rules. */
  rules: string
  /** The user who decided. The row remains when the user is removed. */
  person_id: string
  kept_at: number
}
