/** One row of the table `customer`: a person that services are booked for. */
export interface CustomerTable {
  id: string
  key: string | null
  ordinal: number
  name: string
  email: string
  email_key: string
  phone: string
  host_user_id: number
  status: number
  timezone: string | null
  language: string
  created_at: number
  updated_at: number
  /** 1 when the search terms of the customer are up to date, otherwise 0. */
  worded: number
  /** JSON: the customer's birthday, tags and further phone numbers. */
  details: string
}

/** One row of the table `customer_word`: a search term of a customer, such as a word of the name or a tag. */
export interface CustomerWordTable {
  customer_id: string
  word: string
}

/** One row of the table `customer_note`: a note of staff about a customer. */
export interface CustomerNoteTable {
  id: string
  customer_id: string
  person_id: string
  text: string
  created_at: number
}
