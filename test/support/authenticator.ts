import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** Creates a software WebAuthn authenticator with one new passkey for one origin. */
export function authenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const [x, y] = [Buffer.from(String(jwk.x), 'base64url'), Buffer.from(String(jwk.y), 'base64url')]
  const id = randomBytes(16)
  const site = createHash('sha256').update(new URL(origin).hostname).digest()
  let counter = 0
  // A CBOR map of five entries: key type EC2, algorithm ES256, curve P-256, x, y.
  const key = Buffer.concat([hex('a5010203262001215820'), x, hex('225820'), y])
  const client = (type: string, challenge: unknown) => Buffer.from(JSON.stringify({ type, challenge, origin }))
  const head = (flags: number) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(++counter)
    return Buffer.concat([site, Buffer.of(flags), count])
  }
  const shown = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' }
  return {
    create(challenge: unknown) {
      const data = Buffer.concat([head(0x45), Buffer.alloc(16), Buffer.of(0, id.length), id, key])
      // A CBOR map of three entries: fmt "none", attStmt {}, authData bytes.
      const object = Buffer.concat([
        hex('a363666d74646e6f6e656761747453746d74a0686175746844617461'),
        Buffer.of(0x58, data.length),
        data,
      ])
      const clientDataJSON = client('webauthn.create', challenge).toString('base64url')
      return { ...shown, response: { clientDataJSON, attestationObject: object.toString('base64url') } }
    },
    get(challenge: unknown) {
      const [data, said] = [head(0x05), client('webauthn.get', challenge)]
      const signed = Buffer.concat([data, createHash('sha256').update(said).digest()])
      return {
        ...shown,
        response: {
          clientDataJSON: said.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
