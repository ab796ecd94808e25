/** Every difference between the two databases has a name here. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
}
