/** A query built once and run with values; made by `prepared`. */
export interface Prepared<Values extends object, Row> {
  readonly values?: Values
  readonly row?: Row
}
