/** One row of the table `connected_calendar`: a calendar of another system that blocks the time of a provider. */
export interface ConnectedCalendarTable {
  id: string
  provider_id: number
  kind: string
  name: string
  host: string
  /** The encrypted address and credentials, as JSON before encryption. */
  secret: string
  /** JSON, see `Blocking`. */
  blocking: string
  /** JSON, see `ReadContent`; empty before the first reading. */
  content: string
  covered_until: number
  read_at: number
  tried_at: number | null
  next_at: number
  failures: number
  fault: string | null
  fault_detail: string
  revision: number
  turn: number
  created_at: number
  updated_at: number
}
