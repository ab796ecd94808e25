/** The cause of a failed message, as derived from the stored error text. */
export type MailFailure =
  | 'refused'
  | 'timeout'
  | 'host'
  | 'login'
  | 'certificate'
  | 'tls'
  | 'closed'
  | 'key'
  | 'recipient'
  | 'network'
  | 'other'

// An error text begins with an error code of the mail library or of the client for outbound requests, or with the HTTP
// status of the SMS gateway, and may contain an error message of the operating system or of TLS. An error text about a
// secret that cannot be decrypted names `DAYBOOK_SECRET_KEY`. The first matching pattern determines the cause.
const patterns: readonly (readonly [RegExp, MailFailure])[] = [
  [/DAYBOOK_SECRET_KEY/, 'key'],
  [/\bEAUTH\b|^HTTP 40[13]\b/, 'login'],
  [/^address_not_public|^not_https/, 'network'],
  [/\bECONNREFUSED\b|\bEHOSTUNREACH\b|\bENETUNREACH\b/, 'refused'],
  [/\bETIMEDOUT\b|\btimeout\b/i, 'timeout'],
  [/\bENOTFOUND\b|\bEAI_AGAIN\b|\bEDNS\b|^name_not_resolved/, 'host'],
  [/certificate|\baltnames\b|\bCERT_/i, 'certificate'],
  [/\bETLS\b|\bSSL\b|\bTLS\b|wrong version number/i, 'tls'],
  [/\bEENVELOPE\b/, 'recipient'],
  [/\bECONNECTION\b|\bECONNRESET\b|\bESOCKET\b|^connection_failed/, 'closed'],
]

/** Returns the cause of a failure, derived from the error text stored with the message; `other` when unknown. */
export function mailFailure(reason: string): MailFailure {
  return patterns.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other'
}
