import { dataSettings } from '../config.ts'
import { exportSite, type SiteExport } from '../operations/site-export.ts'
import { type Caller, type DataCommand, done } from './command.ts'

/** Writes the site as a site file, which applied to an empty site gives the same site with the same ids. */
export const exportCommand: DataCommand = {
  on: 'data',
  options: {
    'with-customers': { sentence: 'Customers too.' },
    'with-reservations': { sentence: 'Reservations too, and the customers they are for.' },
  },
  settings: dataSettings,
  positionals: ['[FILE]'],
  into: ({ positionals: [path] }) => (path === '-' ? undefined : path),
  async run(app, { flags, caller }) {
    const reservations = flags['with-reservations'] === true
    const customers = reservations || flags['with-customers'] === true
    const left = await exportSite(app.db, { customers, reservations }, (exported) => writeSite(exported, caller))
    if (left === 0) return done('')
    const which = left === 1 ? 'One reservation was left out: its' : `${left} reservations were left out: their`
    return { ...done(''), err: `${which} service or customer has been removed.\n` }
  },
}

/** Writes the file piece by piece: the catalogue laid out for people, then one line a customer and a reservation. */
async function writeSite({ catalogue, customers, reservations, reservationCount }: SiteExport, caller: Caller) {
  await caller.write(JSON.stringify(catalogue, null, 2).replace(/\n}$/, ''))
  if (customers) await writeList('customers', customers, caller)
  const written = reservations && (await writeList('reservations', reservations, caller))
  await caller.write('\n}\n')
  return written === undefined ? 0 : reservationCount - written
}

const noteEvery = 50_000

async function writeList(name: string, parts: AsyncIterable<readonly object[]>, caller: Caller): Promise<number> {
  let count = 0
  await caller.write(`,\n  "${name}": [`)
  for await (const part of parts) {
    const lines = part.map((entry, at) => `${count + at > 0 ? ',' : ''}\n    ${JSON.stringify(entry)}`)
    await caller.write(lines.join(''))
    const before = count
    count += part.length
    if (Math.floor(before / noteEvery) < Math.floor(count / noteEvery)) caller.note(`${count} ${name} written …`)
  }
  await caller.write(count > 0 ? '\n  ]' : ']')
  return count
}
