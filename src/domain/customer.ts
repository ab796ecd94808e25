/** 1 active, 0 inactive, 2 blocked: may not be given new reservations. */
export type CustomerStatus = 0 | 1 | 2
export const blocked: CustomerStatus = 2

export interface Customer {
  readonly id: string
  readonly name: string
  readonly email: string
  /** `''` when there is none. */
  readonly phone: string
  /** 0 when not linked. */
  readonly hostUserId: number
  readonly status: CustomerStatus
  readonly timezone: string | null
  /** `''` when there is none. */
  readonly language: string
}
