import type { SiteExport } from './export.operations.ts'

/** Receives the file in parts. */
interface Reader {
  /** Resolves once there is room for more. */
  write(text: string): Promise<void>
  /** Says how far the work has come. */
  note(sentence: string): void
}

/** Writes the file piece by piece: the catalogue laid out for people, then one line a customer and a reservation; says how many were left out. */
export async function writeSite({ catalogue, customers, reservations, reservationCount }: SiteExport, to: Reader) {
  await to.write(JSON.stringify(catalogue, null, 2).replace(/\n}$/, ''))
  if (customers) await writeList('customers', customers, to)
  const written = reservations && (await writeList('reservations', reservations, to))
  await to.write('\n}\n')
  return written === undefined ? 0 : reservationCount - written
}

const noteEvery = 50_000

async function writeList(name: string, parts: AsyncIterable<readonly object[]>, to: Reader): Promise<number> {
  let count = 0
  await to.write(`,\n  "${name}": [`)
  for await (const part of parts) {
    const lines = part.map((entry, at) => `${count + at > 0 ? ',' : ''}\n    ${JSON.stringify(entry)}`)
    await to.write(lines.join(''))
    const before = count
    count += part.length
    if (Math.floor(before / noteEvery) < Math.floor(count / noteEvery)) to.note(`${count} ${name} written …`)
  }
  await to.write(count > 0 ? '\n  ]' : ']')
  return count
}
