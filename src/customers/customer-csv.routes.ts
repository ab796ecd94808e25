import type { FileAnswer } from '../contract/endpoint.ts'
import { csvHeader, csvLine } from '../csv.ts'
import type { ReadDatabase } from '../db/database.ts'
import { customersQuery, toCustomer } from './customers.sql.ts'

const columns = ['id', 'name', 'email', 'phone', 'other phones', 'birthday', 'tags', 'status', 'language', 'zone']
const statuses = { 0: 'inactive', 1: 'active', 2: 'blocked' } as const

/** Writes all customers as CSV with a header, in the order of creation. */
export async function writeCustomerTable(db: ReadDatabase, write: Parameters<FileAnswer['file']>[0]): Promise<void> {
  await write(csvHeader(columns))
  for await (const rows of db.stream(customersQuery(db)))
    await write(
      rows
        .map(toCustomer)
        .map(({ id, name, email, phone, details = {}, status, language, timezone }) =>
          csvLine([
            ...[id, name, email, phone],
            (details.phones ?? []).map(({ label, number }) => (label ? `${label}: ${number}` : number)).join('; '),
            ...[details.birthday ?? '', (details.tags ?? []).join('; ')],
            ...[statuses[status], language, timezone],
          ]),
        )
        .join(''),
    )
}
