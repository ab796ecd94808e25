/** The tables of payments, the ledger, receipts, coupons and vouchers, by name. */
export interface PaymentTables {
  ledger_account: LedgerAccountTable
  ledger_posting: LedgerPostingTable
  ledger_entry: LedgerEntryTable
  payment_settings: PaymentSettingsTable
  payment: PaymentTable
  payment_share: PaymentShareTable
  saved_card: SavedCardTable
  refund: RefundTable
  processor_event: ProcessorEventTable
  dispute: DisputeTable
  reconciliation: ReconciliationTable
  payment_difference: PaymentDifferenceTable
  payout: PayoutTable
  receipt_settings: ReceiptSettingsTable
  receipt_counter: ReceiptCounterTable
  receipt: ReceiptTable
  coupon: CouponTable
  voucher: VoucherTable
  coupon_use: CouponUseTable
}

/** One row of the table `ledger_account`: an account of the ledger. */
interface LedgerAccountTable {
  id: string
  kind: string
}

/** One row of the table `ledger_posting`: a business transaction of the ledger, such as a payment or a refund. */
interface LedgerPostingTable {
  id: string
  kind: string
  source: string
  payment_id: string | null
  reservation_id: string | null
  voucher_id: string | null
  posted_at: number
  service_id: string | null
  provider_id: number | null
  tax_rate: number | null
}

/**
 * One row of the table `ledger_entry`: an amount that a posting moves from the account `credit` to the account `debit`.
 */
interface LedgerEntryTable {
  posting_id: string
  n: number
  debit: string
  credit: string
  amount: number
  currency: string
}

/**
 * One row of the table `payment_settings`: the connection of the site to its payment processor; there is at most one.
 */
interface PaymentSettingsTable {
  id: string
  processor: string
  sealed: string
  account: string
  fault: string
  checked_at: number | null
  live: number
  connected_at: number
}

/** One row of the table `payment`: a payment for reservations, or the saving of a card, at the processor. */
export interface PaymentTable {
  id: string
  customer_id: string
  purpose: string
  amount: number
  currency: string
  state: string
  checkout_id: string | null
  checkout_url: string | null
  charge_id: string | null
  expires_at: number
  created_at: number
  updated_at: number
}

/**
 * One row of the table `saved_card`: a card that a customer saved at the processor. The row of a removed card remains.
 */
export interface SavedCardTable {
  payment_id: string
  customer_reference: string
  card_reference: string
  brand: string
  last4: string
  saved_at: number
  removed_at: number | null
}

/** One row of the table `payment_share`: the part of a payment that is for one reservation. */
interface PaymentShareTable {
  payment_id: string
  reservation_id: string
  amount: number
  state: string
}

/** One row of the table `refund`: a pending, successful or failed refund of a payment through the processor. */
export interface RefundTable {
  id: string
  payment_id: string
  reservation_id: string
  amount: number
  currency: string
  reason: string
  state: string
  processor_id: string | null
  created_at: number
  updated_at: number
}

/** One row of the table `processor_event`: an event that the processor sent, stored for at least 30 days. */
interface ProcessorEventTable {
  id: string
  type: string
  received_at: number
}

/** One row of the table `dispute`: a customer's dispute of a payment with their bank. */
export interface DisputeTable {
  id: string
  payment_id: string
  amount: number
  currency: string
  reason: string
  state: string
  taken: number
  returned: number
  due_at: number | null
  created_at: number
  updated_at: number
}

/**
 * One row of the table `reconciliation`: the last comparison of the ledger with the processor; there is at most one.
 */
interface ReconciliationTable {
  id: string
  from_at: number
  until_at: number
  ran_at: number
  compared: number
}

/**
 * One row of the table `payment_difference`: a difference between the ledger and the payment processor that a
 * reconciliation found.
 */
export interface PaymentDifferenceTable {
  id: string
  kind: string
  reference: string
  payment_id: string | null
  booked: number | null
  found: number | null
  currency: string
  at: number
  found_at: number
  confirmed_at: number | null
  resolved_at: number | null
}

/** One row of the table `payout`: a pending, paid or failed payout of the processor to the bank. */
interface PayoutTable {
  id: string
  amount: number
  currency: string
  state: string
  own: number
  matched: number
  arrives_at: number
  created_at: number
}

/** One row of the table `receipt_settings`: the issuer of receipts and their retention period; there is at most one. */
interface ReceiptSettingsTable {
  id: string
  name: string
  address: string
  tax_number: string
  years: number
}

/** One row of the table `receipt_counter`: the last number of a series of receipts or credit notes. */
interface ReceiptCounterTable {
  series: string
  last: number
}

/** One row of the table `receipt`: a receipt or a credit note. */
export interface ReceiptTable {
  id: string
  kind: string
  number: string
  year: number
  issued_at: number
  posting_id: string
  reservation_id: string
  corrects: string | null
  service: string
  service_at: number
  method: string
  amount: number
  currency: string
  tax_rate: number | null
  tax: number | null
  language: string
  zone: string
  seller: string
}

/** One row of the table `coupon`: a code that reduces the price of bookings. */
export interface CouponTable {
  id: string
  code: string
  percent: number | null
  amount: number | null
  currency: string | null
  valid_from: string | null
  valid_until: string | null
  max_uses: number | null
  max_uses_per_customer: number | null
  service_ids: string
  active: number
  created_at: number
}

/** One row of the table `coupon_use`: a reservation whose price a coupon reduced. */
interface CouponUseTable {
  reservation_id: string
  coupon_id: string
  booking: string
}

/** One row of the table `voucher`: a gift voucher. */
export interface VoucherTable {
  id: string
  code_hash: string
  hint: string
  amount: number
  currency: string
  valid_until: string | null
  created_at: number
}
