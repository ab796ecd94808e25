import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailFailure } from './mail-failure.ts'

for (const [reason, failure] of [
  ['ESOCKET connect ECONNREFUSED 127.0.0.1:25', 'refused'],
  ['ETIMEDOUT Connection timeout', 'timeout'],
  ['EDNS getaddrinfo ENOTFOUND smtp.example.invalid', 'host'],
  ['EAUTH Invalid login: 535 Authentication failed', 'login'],
  ['ESOCKET self-signed certificate', 'certificate'],
  ["ESOCKET Hostname/IP does not match certificate's altnames", 'certificate'],
  ['ESOCKET C0DC:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number', 'tls'],
  ['ETLS Error upgrading connection with STARTTLS: 502 Command not implemented', 'tls'],
  ['ECONNECTION Connection closed unexpectedly', 'closed'],
  ["EENVELOPE Can't send mail - all recipients were rejected: 550 refused", 'recipient'],
  ['There is no key to decrypt the password: set DAYBOOK_SECRET_KEY.', 'key'],
  ['EMESSAGE Message failed: 554 no', 'other'],
] as const)
  test(`"${reason}" is a failure of kind ${failure}`, () => assert.equal(mailFailure(reason), failure))
