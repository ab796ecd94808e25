/** One row of the table `hold`. */
export interface HoldTable {
  id: string
  form_hash: string
  address_hash: string
  service_id: string
  provider_id: number
  start_at: number
  end_at: number
  seats: number
  /** 1 when the hold has been extended, otherwise 0. */
  extended: number
  placed_at: number
  expires_at: number
}
