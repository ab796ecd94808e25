import Papa from 'papaparse'
import { byteOrderMark, cellText, csvHeader, csvLine } from '../../../../../src/csv.ts'
import { contactKey } from '../../../../../src/customers/customer-email.ts'
import { customerKey } from '../../../../../src/customers/import/import-row.ts'
import type { PanelRouteRequest } from '../../../data/request.ts'

/** A parsed file of customers: rows of cells. */
export interface ParsedTable {
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252'
  readonly separator: string
  /** The rows of the file without its header. */
  readonly rows: readonly Cells[]
  /** The name of each column; its number, from 1, when the file has no header or the header cell is empty. */
  readonly columns: readonly string[]
  /** Whether the first row of the file is a header. */
  readonly hasHeader: boolean
}

type Cells = readonly string[]

/**
 * Why a file cannot be read as a table: it has no rows besides a header (`empty`), more than 20 MB (`tooLarge`), more
 * than 50,000 rows (`tooMany`), or a quoted cell that does not end (`unclosed`).
 */
export type TableErrorCode = 'empty' | 'tooLarge' | 'tooMany' | 'unclosed'

const maxRows = 50_000
const maxBytes = 20_000_000

/** The fields of a customer that a column can hold; a name may be split into two columns. */
export const importFields = ['name', 'firstName', 'lastName', 'email', 'phone', 'language', 'timezone'] as const

/** The column index of each field; null when no column holds the field. */
export type ColumnMapping = Readonly<Record<(typeof importFields)[number], number | null>>

/** One row of a customer import in the format of the API. */
export type ImportCells = PanelRouteRequest<'POST /customers/import/check/'>['body']['rows'][number]

/**
 * Parses a file of separated values, and detects encoding and separator; `header` overrides the detection of a header.
 * Returns an error code for a file that cannot be read as a table.
 */
export async function parseTable(file: Blob, header?: boolean): Promise<ParsedTable | TableErrorCode> {
  if (file.size > maxBytes) return 'tooLarge'
  const { text, encoding } = await decode(new Uint8Array(await file.arrayBuffer()))
  const { data, meta, errors } = parse(text)
  if (errors.some(({ code }) => code === 'MissingQuotes')) return 'unclosed'
  const [first] = data
  if (!first) return 'empty'
  const hasHeader = header ?? isHeader(first)
  const rows = hasHeader ? data.slice(1) : data
  if (rows.length === 0) return 'empty'
  if (rows.length > maxRows) return 'tooMany'
  const width = Math.max(...data.slice(0, 100).map((cells) => cells.length))
  const columns = Array.from({ length: width }, (_, at) => (hasHeader && first[at]?.trim()) || String(at + 1))
  return { encoding, separator: meta.delimiter, rows, columns, hasHeader }
}

function parse(text: string): Papa.ParseResult<string[]> {
  const parsed = Papa.parse<string[]>(text, { delimitersToGuess: separators, skipEmptyLines: 'greedy' })
  if (!parsed.errors.some(({ code }) => code === 'UndetectableDelimiter')) return parsed
  // When the parser cannot detect the separator, the most frequent separator of the first line is used.
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
  const delimiter = separators.toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ','
  return Papa.parse<string[]>(text, { delimiter, skipEmptyLines: 'greedy' })
}

const separators = [',', ';', '\t', '|']

async function decode(bytes: Uint8Array): Promise<Pick<ParsedTable, 'encoding'> & { readonly text: string }> {
  const startsWith = (...mark: readonly number[]): boolean => mark.every((byte, at) => bytes[at] === byte)
  const decoded = (encoding: ParsedTable['encoding'], label: string) => {
    return { text: new TextDecoder(label).decode(bytes), encoding }
  }
  if (startsWith(0xff, 0xfe)) return decoded('UTF-16', 'utf-16le')
  if (startsWith(0xfe, 0xff)) return decoded('UTF-16', 'utf-16be')
  if (startsWith(0xef, 0xbb, 0xbf)) return decoded('UTF-8', 'utf-8')
  const strict = async (): Promise<string> => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  // A file that is not valid UTF-8 is read as Windows-1252, which spreadsheets on Windows write.
  return strict().then(
    (text) => ({ text, encoding: 'UTF-8' }),
    () => decoded('Windows-1252', 'windows-1252'),
  )
}

// Column names that other systems use, in the panel's languages, without accents, spaces and punctuation.
const columnSynonyms: Readonly<Record<keyof ColumnMapping, string>> = {
  name: 'name fullname displayname customer customername client contact kunde kundenname nombre nombrecompleto cliente nom nomcomplet',
  firstName: 'firstname givenname forename vorname prenom nombredepila',
  lastName: 'lastname surname familyname nachname familienname apellido apellidos nomdefamille',
  email: 'email emailaddress mail mailadresse emailadresse correo correoelectronico courriel adresseemail adressemail',
  phone:
    'phone phonenumber telephone tel mobile mobilephone cell cellphone telefon telefonnummer handy mobil telefono movil portable',
  language: 'language lang locale sprache idioma langue',
  timezone: 'timezone zone tz zeitzone zonahoraria fuseauhoraire',
}

/** Assigns columns to fields by the names of the columns; a column with an unknown name is not assigned. */
export function matchColumns(names: readonly string[]): ColumnMapping {
  const plain = names.map(normaliseName)
  const placeOf = (field: keyof ColumnMapping): number | null => {
    const words = columnSynonyms[field].split(' ')
    const at = plain.findIndex((name) => words.includes(name))
    return at < 0 ? null : at
  }
  const [name, firstName, lastName] = [placeOf('name'), placeOf('firstName'), placeOf('lastName')]
  const others = {
    email: placeOf('email'),
    phone: placeOf('phone'),
    language: placeOf('language'),
    timezone: placeOf('timezone'),
  }
  // Next to a first name, "Nom" or "Name" is the last name; next to a last name, "Nombre" is the first name.
  if (firstName !== null) return { name: null, firstName, lastName: lastName ?? name, ...others }
  if (lastName !== null && name !== null) return { name: null, firstName: name, lastName, ...others }
  return { name, firstName, lastName, ...others }
}

function isHeader(cells: Cells): boolean {
  return Object.values(matchColumns(cells)).some((place) => place !== null)
}

function normaliseName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

/** Converts a row of the file to the format of the API. */
export function cellsOf(row: Cells, columns: ColumnMapping): ImportCells {
  const cell = (field: keyof ColumnMapping): string => {
    const place = columns[field]
    const text = ((place === null ? '' : row[place]) ?? '').trim()
    return cellText(text).trim().slice(0, 1_000)
  }
  const name = [cell('name'), cell('firstName'), cell('lastName')].filter((part) => part !== '').join(' ')
  const { language, timezone } = { language: cell('language'), timezone: cell('timezone') }
  return { name, email: cell('email'), phone: cell('phone'), language, timezone }
}

/** The earlier rows of the same file that a row repeats; a member is undefined when there is no such row. */
export interface EarlierRows {
  /** The index of an earlier row with the same contact data and the same name. */
  readonly sameCustomer: number | undefined
  /** The index of an earlier row with the same e-mail address, or the same phone number if the rows have no address. */
  readonly sameContact: number | undefined
}

/**
 * Returns, for each row of the file, the earlier rows that it repeats. Rows with an error, which are not imported, are
 * not among these earlier rows.
 */
export function earlierRows(rows: readonly ImportCells[], isFaulty: (at: number) => boolean): EarlierRows[] {
  const people = new Map<string, number>()
  const addresses = new Map<string, number>()
  return rows.map((row, at) => {
    const [user, address] = [customerKey(row), contactKey(row)]
    const earlier = {
      sameCustomer: people.get(user),
      sameContact: address === 'tel:' ? undefined : addresses.get(address),
    }
    if (isFaulty(at)) return earlier
    if (earlier.sameCustomer === undefined) people.set(user, at)
    if (earlier.sameContact === undefined) addresses.set(address, at)
    return earlier
  })
}

/**
 * Serialises the rows `lines`, which were not imported, as CSV, with the reason in an additional last column. If the
 * file has a header, `title` is the header of that column. The user can correct the CSV file and import it.
 */
export function excludedRowsCsv(
  table: ParsedTable,
  lines: readonly { readonly at: number; readonly reason: string }[],
  title: string,
): string {
  // A row may have more cells than the header, or than the rows from which the columns were counted.
  const width = lines.reduce((most, { at }) => Math.max(most, table.rows[at]?.length ?? 0), table.columns.length)
  const row = (cellAt: (place: number) => string): string[] =>
    Array.from({ length: width }, (_, place) => cellAt(place))
  const names = row((place) => table.columns[place] ?? String(place + 1))
  const head = table.hasHeader ? csvHeader([...names, title]) : byteOrderMark
  return (
    head + lines.map(({ at, reason }) => csvLine([...row((place) => table.rows[at]?.[place] ?? ''), reason])).join('')
  )
}
