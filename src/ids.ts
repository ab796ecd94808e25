import { randomFillSync } from 'node:crypto'
import type { IdKind } from './db/perform/app.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const clockDigits = 9
const chanceDigits = 23
const saltBytes = 16

const prefixes: Readonly<Record<IdKind, string>> = {
  reservation: 'r_',
  service: 's_',
  customer: 'c_',
  note: 'n_',
  event: 'evt_',
  token: 'tok_',
  occupancy: 'o_',
  hold: 'h_',
  group: 'g_',
  booking_link: 'bl_',
  user: 'u_',
  session: 'ses_',
  time_off: 'off_',
  calendar: 'cal_',
  calendar_feed: 'cf_',
  calendar_account: 'cac_',
  security: 'sec_',
  job: 'job_',
  notification: 'msg_',
  webhook: 'wh_',
  delivery: 'whd_',
  attempt: 'wha_',
  payment: 'pay_',
  refund: 'ref_',
  posting: 'led_',
  receipt: 'rec_',
  coupon: 'cpn_',
  voucher: 'vch_',
}

let last = 0

/** Returns the Unix time in microseconds, strictly increasing on this thread. */
export function newOrdinalId(): number {
  last = Math.max(last + 1, Date.now() * 1000)
  return last
}

/**
 * Returns a new identifier: a prefix, nine base-62 digits of the time and 23 random ones. Identifiers of one kind sort
 * in the order of creation on one thread, and nearly so across threads and nodes. They cannot be guessed.
 */
export function newId(kind: IdKind): string {
  return prefixes[kind] + inDigits(newOrdinalId()) + chance()
}

/** Returns 32 random hexadecimal digits. */
export function newSalt(): string {
  let text = ''
  for (let count = 0; count < saltBytes; count += 1) text += hexadecimal[nextByte()] ?? ''
  return text
}

const hexadecimal = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function inDigits(value: number): string {
  let text = ''
  for (let rest = value; text.length < clockDigits; rest = Math.floor(rest / digits.length)) {
    text = digits.charAt(rest % digits.length) + text
  }
  return text
}

const pool = new Uint8Array(4096)
let used = pool.length

// Bytes from 248 up are discarded: they would make the first eight digits likelier than the others.
const digitOfByte = Array.from({ length: 248 }, (_, byte) => digits.charAt(byte % digits.length))

function chance(): string {
  let text = ''
  while (text.length < chanceDigits) text += digitOfByte[nextByte()] ?? ''
  return text
}

function nextByte(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const byte = pool[used] ?? 0
  // Each byte is used once and then cleared, so that the pool in memory does not reveal identifiers that were issued.
  pool[used] = 0
  used += 1
  return byte
}
