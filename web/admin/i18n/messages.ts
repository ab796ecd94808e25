import type { en } from './en.ts'

type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** A whole catalogue: a word that is missing, or one too many, does not compile. */
export type Words = Same<typeof en>
