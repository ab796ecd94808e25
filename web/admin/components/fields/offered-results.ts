import { normaliseText } from '../../data/normalise-text.ts'

interface Search<Result> {
  /** The text in the field, without white space around it; it may be newer than the text that was searched for. */
  readonly typed: string
  /** Whether the results are those of the typed text. */
  readonly isCurrent: boolean
  /** Returns the text with which the list shows a result. */
  readonly textOf: (result: Result) => string
}

/**
 * Returns the results of a search by the server that a list may offer. Until the response to the typed text arrives,
 * these are the results whose shown text contains it, regardless of case and accents: Enter must not take a result that
 * was found for an earlier text only.
 */
export function offeredResults<Result>(
  results: readonly Result[],
  { typed, isCurrent, textOf }: Search<Result>,
): Result[] {
  const sought = normaliseText(typed)
  return results.filter((one) => isCurrent || normaliseText(textOf(one)).includes(sought))
}
