import type { en } from './en.ts'
import type { later } from './later/later-en.ts'

type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** The texts that are loaded with the panel in one language; a missing or additional text is a compile error. */
export type FirstWords = Same<typeof en>

/** The texts that are loaded with the first screen that needs them. */
export type LaterWords = Same<typeof later>

/** All texts of the panel in one language. */
export type Words = FirstWords & LaterWords
