import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvHeader, csvLine } from '../../src/csv.ts'
import {
  type ColumnMapping,
  cellsOf,
  earlierRows,
  excludedRowsCsv,
  matchColumns,
  type ParsedTable,
  parseTable,
} from '../../web/admin/features/customers/import/import-table.ts'

const utf8 = (text: string): Blob => new Blob([text])
const latin = (text: string): Blob => new Blob([Uint8Array.from(text, (char) => char.charCodeAt(0))])
const wide = (text: string): Blob => new Blob([new Uint8Array([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
const bigEndian = (text: string): Blob =>
  new Blob([new Uint8Array([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])
const read = async (file: Blob, firstNames?: boolean): Promise<ParsedTable> => {
  const table = await parseTable(file, firstNames)
  assert.ok(typeof table === 'object', String(table))
  return table
}

const cells = [
  ['Zoë, "Z"', 'zoe@list.example'],
  ['two\nlines', 'b@list.example'],
]
const files: [string, Blob, string, string][] = [
  ['commas', utf8('Name,E-Mail\r\n"Zoë, ""Z""",zoe@list.example\r\n"two\nlines",b@list.example\r\n'), ',', 'UTF-8'],
  [
    'semicolons behind a mark',
    utf8('\uFEFFName;Mail\n"Zoë, ""Z""";zoe@list.example\n\n"two\nlines";b@list.example'),
    ';',
    'UTF-8',
  ],
  ['tabs', utf8('Name\tMail\n"Zoë, ""Z"""\tzoe@list.example\n"two\nlines"\tb@list.example\n \t \n'), '\t', 'UTF-8'],
  [
    'Windows',
    latin('Name;Mail\r\n"Zoë, ""Z""";zoe@list.example\r\n"two\nlines";b@list.example\r\n'),
    ';',
    'Windows-1252',
  ],
  [
    'UTF-16, the high byte first',
    bigEndian('Name\tMail\n"Zoë, ""Z"""\tzoe@list.example\n"two\nlines"\tb@list.example\n'),
    '\t',
    'UTF-16',
  ],
  ['UTF-16', wide('Name\tMail\n"Zoë, ""Z"""\tzoe@list.example\n"two\nlines"\tb@list.example\n'), '\t', 'UTF-16'],
]
for (const [what, file, separator, encoding] of files)
  test(`a table is parsed in any encoding: ${what}`, async () => {
    const table = await read(file)
    assert.deepEqual([table.separator, table.encoding, table.rows], [separator, encoding, cells])
    assert.deepEqual(matchColumns(table.columns), { ...none, name: 0, email: 1 })
  })

for (const [what, file, name] of [
  ['a replacement character', utf8('Name;Mail\nZo\uFFFDë;zoe@list.example\n'), 'Zo\uFFFDë'],
  [
    'a mark and an invalid byte',
    new Blob(['\uFEFFName;Mail\nZoë', new Uint8Array([0xff]), ';zoe@list.example\n']),
    'Zoë\uFFFD',
  ],
] as const)
  test(`a table in UTF-8 with ${what} is read as UTF-8`, async () => {
    const { encoding, rows } = await read(file)
    assert.deepEqual([encoding, rows[0]?.[0]], ['UTF-8', name])
  })

const none: ColumnMapping = {
  name: null,
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  language: null,
  timezone: null,
}

for (const [names, found] of [
  ['Vorname;Name;E-Mail-Adresse;Telefon', { firstName: 0, lastName: 1, email: 2, phone: 3 }],
  ['Nombre;Apellidos;Correo electrónico', { firstName: 0, lastName: 1, email: 2 }],
  ['Nom;Prénom;Courriel;Langue', { firstName: 1, lastName: 0, email: 2, language: 3 }],
  ['Customer Name;Email Address;Mobile;Time zone', { name: 0, email: 1, phone: 2, timezone: 3 }],
  ['a;b;c', {}],
] as const)
  test(`${names} are recognised`, () => {
    assert.deepEqual(matchColumns(names.split(';')), { ...none, ...found })
  })

for (const [what, file, fault] of [
  ['nothing', utf8(' \n'), 'empty'],
  ['names of columns alone', utf8('Name,Mail\n'), 'empty'],
  ['a quotation mark that is never closed', utf8('Name,Mail\n"Ida,ida@list.example\n'), 'unclosed'],
  ['more rows than a table may have', utf8(`Name\n${'x,y\n'.repeat(50_001)}`), 'tooMany'],
] as const)
  test(`${what} is not a table`, async () => {
    assert.equal(await parseTable(file), fault)
  })

test('a table without a header loses no row, and has numbered columns', async () => {
  const table = await read(utf8('Ida,ida@list.example\nOle,ole@list.example\n'))
  assert.deepEqual([table.hasHeader, table.rows.length, table.columns], [false, 2, ['1', '2']])
  assert.equal((await read(utf8('Ida,ida@list.example\nOle,ole@list.example\n'), true)).rows.length, 1)
})

test('a name may have two columns, and a number keeps its sign', () => {
  const columns = { ...none, firstName: 1, lastName: 0, email: 2, phone: 3 }
  assert.deepEqual(cellsOf(['Berg', ' Ida ', 'ida@list.example', "'+49 30"], columns), {
    name: 'Ida Berg',
    email: 'ida@list.example',
    phone: '+49 30',
    language: '',
    timezone: '',
  })
  assert.equal(cellsOf(['Berg'], columns).email, '')
})

test('a name that a spreadsheet would evaluate in part is read as it was exported', async () => {
  for (const name of ['=1+1', 'Ida;=1+1', 'Ida\n-1, +1'])
    assert.deepEqual(
      (await read(utf8(csvHeader(['name', 'phone']) + csvLine([name, '1'])))).rows.map(
        (row) => cellsOf(row, { ...none, name: 0 }).name,
      ),
      [name],
    )
})

test('a number is read as it was exported', async () => {
  const columns = { ...none, name: 0, phone: 1 }
  for (const phone of ['+49 30 1234', '+49301234', '+49 (0)30 1234', '-1', '030 1234']) {
    const { rows } = await read(utf8(csvHeader(['name', 'phone']) + csvLine(['Ida', phone])))
    assert.deepEqual(
      rows.map((row) => cellsOf(row, columns).phone),
      [phone],
    )
  }
})

test('rows are distinguished by name and address, however typed', () => {
  const row = (name: string, email: string) => ({ name, email, phone: '', language: '', timezone: '' })
  const rows = [
    row('Ida', 'a@x.example'),
    row('IDA ', 'A@x.example'),
    row('Ole', 'a@x.example'),
    row('Ida', ''),
    row('Una', ''),
  ]
  assert.deepEqual(
    earlierRows(rows, () => false).map(({ sameCustomer, sameContact }) => [sameCustomer, sameContact]),
    [
      [undefined, undefined],
      [0, 0],
      [undefined, 0],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
})

test('a row repeats no row with an error', () => {
  const row = { name: 'Ida', email: 'a@x.example', phone: '', language: '', timezone: '' }
  assert.deepEqual(
    earlierRows([row, row, row], (at) => at === 0).map(({ sameCustomer, sameContact }) => [sameCustomer, sameContact]),
    [
      [undefined, undefined],
      [undefined, undefined],
      [1, 1],
    ],
  )
})

test('excluded rows have all their cells, and the reason in a column of its own', async () => {
  const short = 'Ida,a@x.example\n'
  const table = await read(utf8(`Name,Mail\n${short.repeat(120)}Una,u@x.example,,more\n`))
  const lines = [0, 120].map((at) => ({ at, reason: 'Known' }))
  const again = await read(utf8(excludedRowsCsv(table, lines, 'Reason')))
  assert.deepEqual(again.columns, ['Name', 'Mail', '3', '4', 'Reason'])
  assert.deepEqual(again.rows, [
    ['Ida', 'a@x.example', '', '', 'Known'],
    ['Una', 'u@x.example', '', 'more', 'Known'],
  ])
})

test('excluded rows can be imported again, and contain no formula', async () => {
  const table = await read(utf8('Name;Mail\n=1+1;a@x.example\n"two\nlines"\n'))
  const text = excludedRowsCsv(
    table,
    [
      { at: 0, reason: 'Why, "so"' },
      { at: 1, reason: '@never' },
    ],
    'Reason',
  )
  const again = await read(utf8(text))
  assert.deepEqual(again.columns, ['Name', 'Mail', 'Reason'])
  assert.deepEqual(again.rows, [
    ["'=1+1", 'a@x.example', 'Why, "so"'],
    ['two\nlines', '', "'@never"],
  ])
})

test('excluded rows of a file without a header have no header either', async () => {
  const table = await read(utf8('Ida;a@x.example\nUna;u@x.example\n'), false)
  const text = excludedRowsCsv(table, [{ at: 1, reason: 'Known' }], 'Reason')
  const again = await read(utf8(text), false)
  assert.deepEqual(again.rows, [['Una', 'u@x.example', 'Known']])
})
