import Papa from 'papaparse'
import { csvLine } from '../../../../../src/csv.ts'
import { contactKey } from '../../../../../src/customers/customer-email.ts'
import { customerKey } from '../../../../../src/customers/import/import-row.ts'
import type { PanelQuery } from '../../../data/ask.ts'

/** What the file of a table says, its lines as cells. */
export interface Table {
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252'
  readonly separator: string
  /** All lines but the one that names the columns. */
  readonly rows: readonly Cells[]
  /** The names of the columns; their numbers where the first line is none. */
  readonly columns: readonly string[]
  /** Whether the first line names them. */
  readonly named: boolean
}

type Cells = readonly string[]

/** Why a file is no table. */
export type TableFault = 'empty' | 'tooLarge' | 'tooMany' | 'unclosed'

const mostRows = 50_000
const mostBytes = 20_000_000

/** What a column can hold; a name may come in two parts. */
export const fields = ['name', 'firstName', 'lastName', 'email', 'phone', 'language', 'timezone'] as const

/** The place of each field's column; null where none holds it. */
export type Columns = Readonly<Record<(typeof fields)[number], number | null>>

/** A row as the service takes it. */
export type ImportCells = PanelQuery<'POST /customers/import/check/'>['body']['rows'][number]

/** Reads a file as a table, whatever its encoding and separator; `firstNames` says whether its first line names the columns. */
export async function readTable(file: Blob, firstNames?: boolean): Promise<Table | TableFault> {
  if (file.size > mostBytes) return 'tooLarge'
  const { text, encoding } = decode(new Uint8Array(await file.arrayBuffer()))
  const { data, meta, errors } = parse(text)
  if (errors.some(({ code }) => code === 'MissingQuotes')) return 'unclosed'
  const [first] = data
  if (!first) return 'empty'
  const named = firstNames ?? namesColumns(first)
  const rows = named ? data.slice(1) : data
  if (rows.length === 0) return 'empty'
  if (rows.length > mostRows) return 'tooMany'
  const width = Math.max(...data.slice(0, 100).map((cells) => cells.length))
  const columns = Array.from({ length: width }, (_, at) => (named && first[at]?.trim()) || String(at + 1))
  return { encoding, separator: meta.delimiter, rows, columns, named }
}

function parse(text: string): Papa.ParseResult<string[]> {
  const parsed = Papa.parse<string[]>(text, { delimitersToGuess: separators, skipEmptyLines: 'greedy' })
  if (!parsed.errors.some(({ code }) => code === 'UndetectableDelimiter')) return parsed
  // Where lines differ too much to tell, the first one says it: it names the columns.
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1)
  const delimiter = separators.toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ','
  return Papa.parse<string[]>(text, { delimiter, skipEmptyLines: 'greedy' })
}

const separators = [',', ';', '\t', '|']

function decode(bytes: Uint8Array): { readonly text: string; readonly encoding: Table['encoding'] } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  const text = new TextDecoder('utf-8').decode(bytes)
  // What is not UTF-8 is what spreadsheets write on Windows.
  if (!text.includes('\uFFFD')) return { text, encoding: 'UTF-8' }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
}

// As other systems write them, in the languages of the panel; without accents, blanks and marks.
const called: Readonly<Record<keyof Columns, string>> = {
  name: 'name fullname displayname customer customername client contact kunde kundenname nombre nombrecompleto cliente nom nomcomplet',
  firstName: 'firstname givenname forename vorname prenom nombredepila',
  lastName: 'lastname surname familyname nachname familienname apellido apellidos nomdefamille',
  email: 'email emailaddress mail mailadresse emailadresse correo correoelectronico courriel adresseemail adressemail',
  phone:
    'phone phonenumber telephone tel mobile mobilephone cell cellphone telefon telefonnummer handy mobil telefono movil portable',
  language: 'language lang locale sprache idioma langue',
  timezone: 'timezone tz zeitzone zonahoraria fuseauhoraire',
}

/** Which column holds what, by what the columns are called. */
export function recognise(names: readonly string[]): Columns {
  const plain = names.map(plainly)
  const placeOf = (field: keyof Columns): number | null => {
    const words = called[field].split(' ')
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
  // Beside a first name "Nom" or "Name" is the last one, and beside a last name "Nombre" the first.
  if (firstName !== null) return { name: null, firstName, lastName: lastName ?? name, ...others }
  if (lastName !== null && name !== null) return { name: null, firstName: name, lastName, ...others }
  return { name, firstName, lastName, ...others }
}

function namesColumns(cells: Cells): boolean {
  return Object.values(recognise(cells)).some((place) => place !== null)
}

function plainly(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

/** The row as the service takes it. */
export function cellsOf(row: Cells, columns: Columns): ImportCells {
  const cell = (field: keyof Columns): string => {
    const place = columns[field]
    // The mark before it keeps spreadsheets from taking a number for a formula; it is none of the text.
    return ((place === null ? '' : row[place]) ?? '')
      .trim()
      .replace(/^'(?=[=+\-@])/, '')
      .slice(0, 1_000)
  }
  const name = [cell('name'), cell('firstName'), cell('lastName')].filter((part) => part !== '').join(' ')
  const { language, timezone } = { language: cell('language'), timezone: cell('timezone') }
  return { name, email: cell('email'), phone: cell('phone'), language, timezone }
}

/** What an earlier row of the same table has in common with this one. */
export interface Earlier {
  /** The place of an earlier row of the same person. */
  readonly same: number | undefined
  /** The place of an earlier row with the same address. */
  readonly address: number | undefined
}

/** For each row, what came before it in the table. */
export function earlierRows(rows: readonly ImportCells[]): Earlier[] {
  const people = new Map<string, number>()
  const addresses = new Map<string, number>()
  return rows.map((row, at) => {
    const [person, address] = [customerKey(row), contactKey(row)]
    const earlier = { same: people.get(person), address: address === 'tel:' ? undefined : addresses.get(address) }
    if (earlier.same === undefined) people.set(person, at)
    if (earlier.address === undefined) addresses.set(address, at)
    return earlier
  })
}

/** Some lines of the table as a file that can be imported again, with why each was left out. */
export function leftOutText(
  table: Table,
  lines: readonly { readonly at: number; readonly reason: string }[],
  title: string,
): string {
  // A spreadsheet takes the file for UTF-8 by its first mark.
  const head = `\uFEFF${csvLine([...table.columns, title])}`
  const width = table.columns.length
  const cells = (at: number): string[] => Array.from({ length: width }, (_, place) => table.rows[at]?.[place] ?? '')
  return head + lines.map(({ at, reason }) => csvLine([...cells(at), reason])).join('')
}
