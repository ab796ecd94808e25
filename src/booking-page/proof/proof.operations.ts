import { createHmac } from 'node:crypto'
import { acceptedSecrets, type Catalogue, type SiteSecrets } from '../../catalogue/catalogue.ts'
import { hashForm } from '../secrets.operations.ts'

// The iterations of one key derivation (PBKDF2). Solving a proof-of-work challenge takes about 256 derivations, half a
// second on a desktop computer, while the customer fills in the form.
const cost = 10_000
const keyPrefix = '00'
const algorithm = 'PBKDF2/SHA-256'
const maxLength = 3_000

/**
 * Returns the proof-of-work challenge of a form as JSON. Its solution is valid for this form only, and a form books at
 * most once, so a solution cannot be used for two bookings.
 */
export async function newChallenge({ secret }: Catalogue, form: string): Promise<string> {
  const { createChallenge, deriveKey } = await library()
  const data = { form: hashForm(form) }
  const hmacSignatureSecret = keyOf(secret)
  return JSON.stringify(await createChallenge({ algorithm, cost, keyPrefix, deriveKey, data, hmacSignatureSecret }))
}

/** Whether a text is the solution of a challenge that was made for the given form. */
export async function isProof(site: SiteSecrets, text: string, form: string, now: number): Promise<boolean> {
  if (text === '' || text.length > maxLength) return false
  for (const one of acceptedSecrets(site, now))
    if (
      await isSolved(text, form, keyOf(one)).then(
        (solved) => solved,
        () => false,
      )
    )
      return true
  return false
}

async function isSolved(text: string, form: string, hmacSignatureSecret: string): Promise<boolean> {
  const { verifySolution, deriveKey } = await library()
  const { challenge, solution } = JSON.parse(Buffer.from(text, 'base64').toString())
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
  return verified && challenge.parameters.data.form === hashForm(form)
}

function keyOf(secret: string): string {
  return createHmac('sha256', secret).update('booking-proof').digest('base64url')
}

// altcha-lib is imported on first use, because most sites do not require a proof of work.
async function library() {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ])
  return { createChallenge, verifySolution, deriveKey }
}
