import type { en } from './en.ts'

type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** The texts of the panel in one language; a missing or additional text is a compile error. */
export type Words = Same<typeof en>
