import type * as TypeBox from 'typebox'

type Builders = Pick<
  typeof TypeBox.Type,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Partial'
  | 'Pick'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>
type Schema = Readonly<Record<string, unknown>>
type Properties = Readonly<Record<string, Schema>>

/**
 * The key that marks the schema of an optional property. It is not enumerable, so it is not part of the schema's JSON.
 */
const optional = '~optional'

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object: objectOf,
  Optional: optionally,
  Partial: ({ properties }: { readonly properties: Properties }) =>
    objectOf(
      Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, optionally(property)] as const)),
    ),
  Pick: ({ properties }: { readonly properties: Properties }, names: readonly string[]) =>
    objectOf(Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)))),
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf, ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => schema,
}

function objectOf(properties: Properties, options?: Schema) {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] ?? {}, optional))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function optionally(schema: Schema): Schema {
  return Object.defineProperty({ ...schema }, optional, { value: true })
}

/**
 * The builders of JSON schemas that the contract uses, with the types of TypeBox. TypeBox's own builders would load all
 * 370 modules of TypeBox, which take a tenth of the memory of an idle Daybook process.
 */
export const Type = builders as unknown as Builders
