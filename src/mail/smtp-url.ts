import type { SmtpConnection } from './smtp.ts'

// `smtp` requires an upgrade by STARTTLS; a connection without encryption has a scheme of its own, so that nobody
// configures it by mistake.
const protocols: ReadonlyMap<string, { readonly security: SmtpConnection['security']; readonly port: number }> =
  new Map([
    ['smtps:', { security: 'tls', port: 465 }],
    ['smtp:', { security: 'starttls', port: 587 }],
    ['smtp+insecure:', { security: 'none', port: 25 }],
  ])

/**
 * Parses the address of an SMTP server, such as `smtps://user:password@mail.example.com`; undefined for other text.
 * User and password are percent-encoded.
 */
export function parseSmtpUrl(text: string): SmtpConnection | undefined {
  const parts =
    /^(smtps:|smtp:|smtp\+insecure:)\/\/(?:([^\s:@/]*)(?::([^\s@/]*))?@)?([^\s:@/]+)(?::(\d{1,5}))?\/?$/.exec(text)
  const [, scheme = '', user = '', password = '', host = '', port] = parts ?? []
  const protocol = protocols.get(scheme)
  const number = port === undefined ? protocol?.port : Number(port)
  const [name, secret] = [decoded(user), decoded(password)]
  if (!protocol || !number || number > 65_535 || name === undefined || secret === undefined) return undefined
  return { host, port: number, security: protocol.security, user: name, password: secret }
}

/** Decodes percent-encoded UTF-8; undefined for other text. */
function decoded(text: string): string | undefined {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined
  const found = new URLSearchParams(`text=${text.replaceAll('+', '%2B').replaceAll('&', '%26')}`).get('text') ?? ''
  return found.includes('\uFFFD') ? undefined : found
}
