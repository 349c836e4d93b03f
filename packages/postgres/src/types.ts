/** Object ids of built-in types; they never change (PostgreSQL, src/include/catalog/pg_type.dat). */
export const types = {
  boolean: 16,
  bytea: 17,
  bigint: 20,
  smallint: 21,
  integer: 23,
  text: 25,
  oid: 26,
  json: 114,
  real: 700,
  double: 701,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  jsonb: 3802,
} as const;

/** Element types, each with the type of its arrays. */
const arrays: readonly (readonly [element: number, array: number])[] = [
  [types.boolean, 1000],
  [types.bytea, 1001],
  [18, 1002],
  [19, 1003],
  [types.smallint, 1005],
  [types.integer, 1007],
  [types.text, 1009],
  [1042, 1014],
  [1043, 1015],
  [types.bigint, 1016],
  [types.real, 1021],
  [types.double, 1022],
  [types.oid, 1028],
  [types.timestamp, 1115],
  [types.date, 1182],
  [1083, 1183],
  [types.timestamptz, 1185],
  [1186, 1187],
  [1700, 1231],
  [types.json, 199],
  [869, 1041],
  [2205, 2210],
  [2206, 2211],
  [2950, 2951],
  [types.jsonb, 3807],
];

const arrayTypes = new Map(arrays);
const elementTypes = new Map(arrays.map(([element, array]) => [array, element]));

/** Undefined for a type that is not an array. */
export function elementOf(type: number): number | undefined {
  return elementTypes.get(type);
}

/** 0, which leaves the choice to the server, if the array type is unknown. */
export function arrayOf(element: number): number {
  return arrayTypes.get(element) ?? 0;
}
