import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bucketSeconds, checkSlotId, slotId } from '../../src/availability/slot-id.ts'
import { now } from '../support/clinic.ts'
import { proved } from '../support/proof.ts'
import { scaled, seed, seededRandom } from '../support/scale.ts'
import { type AvailableSlot, onEachDatabase, type TestSite } from '../support/test-site.ts'

type Shown = Pick<AvailableSlot, 'availabilityId' | 'serviceId' | 'providerId' | 'start' | 'end'>
type Random = () => number

const mutations = scaled(1_000)
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'
const below = (random: Random, most: number) => Math.floor(random() * most)
const other = (random: Random, of: string) => [...alphabet].filter((one) => one !== of)[below(random, 63)] ?? 'x'

/** Functions that change a listed slot before it is booked, by name; each changes at least one value. */
const ways: Readonly<Record<string, (shown: Shown, random: Random, another: Shown) => Shown>> = {
  character: (shown, random) => edited(shown, (id) => replaced(id, below(random, id.length), random)),
  bit: (shown, random) =>
    edited(shown, (id) => {
      const [bucket = '', tag = ''] = id.split('.')
      const bytes = Buffer.from(tag, 'base64url')
      const at = below(random, bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << below(random, 8))
      return `${bucket}.${bytes.toString('base64url')}`
    }),
  bucket: (shown, random) =>
    edited(shown, (id) => {
      const [bucket = '', tag = ''] = id.split('.')
      const moved = Number.parseInt(bucket, 36) + (random() < 0.5 ? -1 : 1) * (1 + below(random, 3))
      return `${moved.toString(36)}.${tag}`
    }),
  cut: (shown, random) => edited(shown, (id) => id.slice(0, below(random, id.length))),
  grown: (shown, random) => edited(shown, (id) => id + other(random, '')),
  padded: (shown, random) => edited(shown, (id) => [`${id}=`, ` ${id}`, `${id}\n`, `0${id}`][below(random, 4)] ?? ''),
  case: (shown) => edited(shown, (id) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase())),
  another: (shown, _random, another) => ({ ...shown, availabilityId: another.availabilityId }),
  service: (shown, random) => ({
    ...shown,
    serviceId: replaced(shown.serviceId, below(random, shown.serviceId.length), random),
  }),
  provider: (shown, random) => ({ ...shown, providerId: shown.providerId ^ (1 << below(random, 30)) || 99 }),
  start: (shown, random) => ({ ...shown, start: shown.start ^ (1 << below(random, 31)) }),
  end: (shown, random) => ({ ...shown, end: shown.end ^ (1 << below(random, 31)) }),
  moved: (shown, random) => {
    const by = (1 + below(random, 1_000)) * (random() < 0.5 ? -60 : 60)
    return { ...shown, start: shown.start + by, end: shown.end + by }
  },
}

function edited(shown: Shown, edit: (id: string) => string): Shown {
  return { ...shown, availabilityId: edit(shown.availabilityId) }
}

function replaced(text: string, at: number, random: Random): string {
  return text.slice(0, at) + other(random, text.charAt(at)) + text.slice(at + 1)
}

test('an id is valid only for the slot, the site and the time it was issued for', (t) => {
  const random = seededRandom(seed)
  const secret = 'a'.repeat(64)
  let tried = 0
  const refused = (verdict: string, what: string) => {
    tried += 1
    assert.notEqual(verdict, 'good', `${what}; seed ${seed}`)
  }
  const names = Object.keys(ways)
  for (let count = 0; count < mutations; count += 1) {
    const make = (): Shown => {
      const start = now + below(random, 5_000_000)
      const wanted = {
        serviceId: 's_checkup',
        providerId: 1 + below(random, 1_000),
        start,
        end: start + 60 * (1 + below(random, 600)),
      }
      return { ...wanted, availabilityId: slotId(secret, wanted, now) }
    }
    const shown = make()
    assert.equal(checkSlotId(secret, shown.availabilityId, shown, now), 'good')
    const what = names[count % names.length] ?? ''
    const sent = ways[what]?.(shown, random, make()) ?? shown
    refused(checkSlotId(secret, sent.availabilityId, sent, now), `${what} ${JSON.stringify({ shown, sent })}`)
    const later = now + bucketSeconds * (2 + below(random, 1_000))
    refused(checkSlotId(secret, shown.availabilityId, shown, later), 'expired')
    refused(checkSlotId(secret, shown.availabilityId, shown, now - bucketSeconds * (1 + below(random, 9))), 'to come')
    refused(checkSlotId(replaced(secret, below(random, 64), random), shown.availabilityId, shown, now), 'another site')
  }
  proved(t, 'B4', { mutations: tried, accepted: 0 })
})

onEachDatabase((open, kind) => {
  let site: TestSite
  before(async () => {
    site = await open()
  })
  after(() => site.close())

  test('a booking that differs from the listed slot is refused', async (t) => {
    const random = seededRandom(seed)
    const slots = await site.slots({ service: 'plain' })
    const names = Object.keys(ways)
    const tries = Math.ceil(mutations / 20)
    await site.assertUnchanged(async () => {
      for (let count = 0; count < tries; count += 1) {
        const [shown, another] = [slots[count % slots.length], slots[(count + 1) % slots.length]]
        assert.ok(shown && another)
        const what = names[count % names.length] ?? ''
        const sent = ways[what]?.(shown, random, another) ?? shown
        const { status, body } = await site.add({ ...shown, ...sent })
        const reason = `${status} ${body.reason}`
        assert.match(
          reason,
          /^(403 slot_(invalid|stale)|404 \w+_not_found|400 invalid_(json|parameter))$/,
          `${what}; seed ${seed}`,
        )
      }
    })
    const [slot] = slots
    assert.ok(slot)
    assert.equal((await site.add(slot)).status, 200)
    proved(t, `B4 ${kind}`, { mutations: tries, accepted: 0 })
  })
})
