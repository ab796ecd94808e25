import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** The name, columns and primary key of a table to copy. */
export interface TableShape {
  readonly name: string
  /** The names of the columns, sorted alphabetically so that the order is the same in both databases. */
  readonly columns: readonly string[]
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[]
}

/**
 * Tables that are not copied, since their rows concern one database only: applied migrations, the progress of a copy,
 * and invalidations (which cached availability a change affects).
 */
export const ownTables: ReadonlySet<string> = new Set(['migration', 'copy_progress', 'invalidation'])

interface ColumnRow {
  readonly table: string
  readonly column: string
  /** The column's position in the primary key, from 1; 0 for a column that is not part of it. */
  readonly position: number
}

/**
 * Lists the tables to copy, from the database's system catalog. Each comes after the other tables that it references.
 */
export async function loadTables(db: Database): Promise<readonly TableShape[]> {
  const columns = await listColumns(db)
  const references = await listReferences(db)
  const shapes = [...Map.groupBy(columns, ({ table }) => table)]
    .filter(([name]) => !ownTables.has(name))
    .map(([name, rows]) => ({
      name,
      columns: rows.map(({ column }) => column).sort(),
      key: rows
        .filter(({ position }) => position > 0)
        .sort((a, b) => a.position - b.position)
        .map(({ column }) => column),
    }))
  return inOrder(shapes, references)
}

/** Lists the columns of all tables of a database. */
export async function listColumns(db: Database): Promise<readonly ColumnRow[]> {
  const query =
    db.dialect.name === 'sqlite'
      ? sql<ColumnRow>`
          select schema.name as "table", info.name as "column", info.pk as position
          from sqlite_schema as schema, pragma_table_info(schema.name) as info
          where schema.type = 'table' and schema.name not like 'sqlite\\_%' escape '\\'`
      : sql<ColumnRow>`
          select relname as "table", attname as "column", coalesce(array_position(indkey::int2[], attnum), -1) + 1 as position
          from pg_class
          join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
          left join pg_index on indrelid = pg_class.oid and indisprimary
          where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`
  return (await query.execute(db.build)).rows
}

interface Reference {
  readonly table: string
  readonly parent: string
}

async function listReferences(db: Database): Promise<readonly Reference[]> {
  const query =
    db.dialect.name === 'sqlite'
      ? sql<Reference>`
          select schema.name as "table", reference."table" as parent
          from sqlite_schema as schema, pragma_foreign_key_list(schema.name) as reference where schema.type = 'table'`
      : sql<Reference>`
          select child.relname as "table", parent.relname as parent
          from pg_constraint
          join pg_class as child on child.oid = conrelid
          join pg_class as parent on parent.oid = confrelid
          where contype = 'f' and child.relnamespace = current_schema()::regnamespace`
  return (await query.execute(db.build)).rows
}

function inOrder(shapes: readonly TableShape[], references: readonly Reference[]): readonly TableShape[] {
  const placed = new Map<string, TableShape>()
  const place = (shape: TableShape): void => {
    if (placed.has(shape.name)) return
    for (const { table, parent } of references) {
      const referred = table === shape.name && parent !== table && shapes.find(({ name }) => name === parent)
      if (referred) place(referred)
    }
    placed.set(shape.name, shape)
  }
  for (const shape of shapes.toSorted((a, b) => (a.name < b.name ? -1 : 1))) place(shape)
  return [...placed.values()]
}

/** Whether a database has a table of this name. */
export async function hasTable(db: Database, name: string): Promise<boolean> {
  const query =
    db.dialect.name === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
      : sql`select 1 from pg_class where relkind = 'r' and relname = ${name} and relnamespace = current_schema()::regnamespace`
  return (await query.execute(db.build)).rows.length > 0
}
