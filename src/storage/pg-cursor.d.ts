declare module 'pg-cursor' {
  import type { Submittable } from 'pg'

  /** Rows of one query, so many at a time; an empty part is the end. */
  export default class Cursor<Row> implements Submittable {
    constructor(text: string, values: unknown[])
    read(count: number): Promise<Row[]>
    close(): Promise<void>
    submit: Submittable['submit']
  }
}
