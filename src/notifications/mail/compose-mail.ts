import { labelled } from '../../messages/labelled.ts'
import { panelPaths } from '../account/account-kinds.ts'
import { defaultTemplate, wordsOf } from '../templates/defaults.ts'
import type { Locale, MailKind, Template } from '../templates/template.ts'
import { type ComposedMessage, renderTemplate } from './compose.ts'
import { type Brand, layout } from './layout.ts'

/** The data from which a mail that is not about one reservation is composed. */
export interface MailSource {
  readonly kind: MailKind
  readonly locale: Locale
  readonly template: Template | undefined
  /** The values of the placeholders that templates of the kind may use, see `placeholdersOf`. */
  readonly variables: object
  readonly site: Brand
  /** The origin of the panel, for kinds that link to one of its pages. */
  readonly origin: string
  /**
   * A link with a secret. It is placed on a line of its own after the first paragraph; a template cannot change that.
   */
  readonly link?: string | undefined
  readonly details?: readonly (readonly [string, string])[]
  /** Small text at the end of the mail; absent when the mail has no such text. */
  readonly note?: string
}

/**
 * Composes a mail that is not about one reservation, from its template or else from the default template of its kind.
 */
export async function composeMail(source: MailSource): Promise<ComposedMessage> {
  const { kind, locale, variables, site, origin, link, details = [], note = '' } = source
  const template = source.template ?? defaultTemplate(kind, locale)
  const { subject, paragraphs } = await renderTemplate(template, variables)
  const path = panelPaths[kind]
  const action = path === undefined ? undefined : { text: wordsOf(locale).panel, url: `${origin}${path}` }
  const [first = '', ...rest] = paragraphs
  const texts = [
    first,
    link ?? '',
    ...rest,
    details.map((line) => line.join('  ')).join('\n'),
    action ? labelled(action.text, action.url, locale) : '',
    note,
    site.name,
  ]
  return {
    subject,
    text: texts.filter((text) => text !== '').join('\n\n'),
    html: layout({
      ...{ locale, subject, site, paragraphs, details, note },
      ...(link !== undefined && { link }),
      ...(action && { action }),
    }),
  }
}
