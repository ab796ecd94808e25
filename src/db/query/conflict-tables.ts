/** One row of the table `kept_conflict`: a reservation that staff keep although it breaks rules since a change. */
export interface KeptConflictTable {
  reservation_id: string
  /** The provider and the times for which the reservation is kept. */
  slot: string
  /** JSON: the names of the broken rules. */
  rules: string
  /** The user who decided; the decision outlives the user. */
  person_id: string
  kept_at: number
}
