/**
 * One row of the table `kept_conflict`: the decision of staff to accept a reservation that breaks scheduling rules
 * since a change, for example of opening hours.
 */
export interface KeptConflictTable {
  reservation_id: string
  /**
   * The provider, start and end of the reservation when staff decided, as one text. The decision applies only while all
   * three are unchanged.
   */
  slot: string
  /** JSON: the names of the rules that the reservation broke when staff decided. */
  rules: string
  /** The id of the user who decided. The row remains when the user is removed. */
  person_id: string
  kept_at: number
}
