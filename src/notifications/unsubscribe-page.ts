import { Html, html } from '../html.ts'
import type { Locale } from './templates/template.ts'

/** The style sheet of the page; the content security policy of the page contains its hash. */
export const unsubscribeStyle =
  ':root{color-scheme:light dark}' +
  'body{margin:0;padding:24px 12px;background:#f1f3f5;color:#212529;' +
  "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}" +
  'main{max-width:480px;margin:0 auto;padding:24px;background:#fff;border-radius:8px;overflow-wrap:anywhere}' +
  'h1{margin:0 0 16px;font-size:20px}p{margin:0 0 16px}' +
  'button{padding:10px 18px;border:0;border-radius:8px;background:#1f5fbf;color:#fff;font:inherit;font-weight:600;' +
  'cursor:pointer}' +
  '@media (prefers-color-scheme:dark){body{background:#141517;color:#e9ecef}main{background:#25262b}}'

interface Words {
  readonly title: string
  /** The question whether to unsubscribe; `{site}` stands for the name of the site. */
  readonly ask: string
  readonly rest: string
  readonly button: string
  readonly done: string
  /** Shown for a link of a message that is not in the log of messages any more; `{site}` as in `ask`. */
  readonly expired: string
}

const words: Readonly<Record<Locale, Words>> = {
  en: {
    title: 'Stop reminders and follow-ups',
    ask: 'Do you want to stop receiving reminders and follow-ups from {site}?',
    rest: 'You still receive confirmations and changes of your appointments.',
    button: 'Unsubscribe',
    done: 'You will not receive reminders and follow-ups from {site} any more.',
    expired: 'This link has expired. Please use the link in a newer message, or contact {site}.',
  },
  de: {
    title: 'Erinnerungen und Nachrichten nach dem Termin abbestellen',
    ask: 'Möchten Sie von {site} keine Erinnerungen und Nachrichten nach dem Termin mehr erhalten?',
    rest: 'Bestätigungen und Änderungen Ihrer Termine erhalten Sie weiterhin.',
    button: 'Abbestellen',
    done: 'Sie erhalten von {site} keine Erinnerungen und Nachrichten nach dem Termin mehr.',
    expired:
      'Dieser Link ist abgelaufen. Bitte nutzen Sie den Link einer neueren Nachricht, oder wenden Sie sich an {site}.',
  },
  es: {
    title: 'Dejar de recibir recordatorios y mensajes posteriores a la cita',
    ask: '¿Desea dejar de recibir de {site} recordatorios y mensajes posteriores a la cita?',
    rest: 'Seguirá recibiendo las confirmaciones y los cambios de sus citas.',
    button: 'Darme de baja',
    done: 'Ya no recibirá de {site} recordatorios ni mensajes posteriores a la cita.',
    expired: 'Este enlace ha caducado. Utilice el enlace de un mensaje más reciente o póngase en contacto con {site}.',
  },
  fr: {
    title: 'Ne plus recevoir de rappels ni de messages après le rendez-vous',
    ask: 'Souhaitez-vous ne plus recevoir de rappels ni de messages après le rendez-vous de la part de {site} ?',
    rest: 'Vous recevrez toujours les confirmations et les changements de vos rendez-vous.',
    button: 'Me désabonner',
    done: 'Vous ne recevrez plus de rappels ni de messages après le rendez-vous de la part de {site}.',
    expired: 'Ce lien a expiré. Veuillez utiliser le lien d’un message plus récent ou contacter {site}.',
  },
}

/**
 * The content of the page: the question with a button, the confirmation that the recipient is unsubscribed, or that the
 * link has expired.
 */
export interface UnsubscribePage {
  readonly locale: Locale
  readonly site: string
  readonly id: string
  readonly state: 'asking' | 'done' | 'expired'
}

/** Returns the page to which the unsubscribe link of a message leads. The page needs no script and no other file. */
export function unsubscribePage({ locale, site, id, state }: UnsubscribePage): string {
  const { title, rest, button, ...sentences } = words[locale]
  const sentence = sentences[state === 'asking' ? 'ask' : state].replace('{site}', () => site)
  const action = `/unsubscribe/?id=${encodeURIComponent(id)}`
  const form = html`<form method="post" action="${action}"><button name="List-Unsubscribe" value="One-Click">${button}</button></form>`
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${title} · ${site}</title>
<style>${new Html(unsubscribeStyle)}</style></head>
<body><main><h1>${title}</h1>
<p${state === 'done' && new Html(' role="status"')}>${sentence}</p>
${state !== 'expired' && html`<p>${rest}</p>`}
${state === 'asking' && form}</main></body></html>
`.text
}
