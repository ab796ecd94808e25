import type { deferred } from './deferred/deferred-en.ts'
import type { en } from './en.ts'

type Same<T> = { readonly [K in keyof T]: T[K] extends string ? string : Same<T[K]> }

/** The texts in one language that are loaded when the panel starts; a missing or additional text is a compile error. */
export type InitialTexts = Same<typeof en>

/** The texts in one language that are loaded with the first screen that needs them. */
export type DeferredTexts = Same<typeof deferred>

/** All texts of the panel in one language. */
export type PanelTexts = InitialTexts & DeferredTexts
