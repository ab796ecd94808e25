import { primaryLanguage } from './language-tag.ts'

/**
 * Returns a label and the text that it introduces on one line, such as `Phone: +49 30 1234`. In French, a non-breaking
 * space precedes the colon.
 */
export function labelled(label: string, text: string, language: string): string {
  return `${label}${primaryLanguage(language) === 'fr' ? '\u00a0' : ''}: ${text}`
}
