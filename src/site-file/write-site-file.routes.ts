import type { SiteExport } from './export.operations.ts'

/** The functions that receive the parts and the progress of an exported JSON site file. */
interface Reader {
  /** Writes a part of the file; resolves when there is room for more. */
  write(text: string): Promise<void>
  /** Reports the progress of the export as an English sentence. */
  note(sentence: string): void
}

/**
 * Writes a JSON site file in parts: the catalogue as indented JSON, then one line per exported customer and
 * reservation. Returns the number of stored reservations that were left out; 0 if `reservations` is undefined.
 */
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
