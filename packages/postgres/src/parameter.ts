/** A value with the type that it is sent with. */
export class Parameter {
  readonly value: unknown;
  /** Object id of the type (pg_type.oid). */
  readonly type: number;

  constructor(value: unknown, type: number) {
    this.value = value;
    this.type = type;
  }
}

/** An identifier in the text of a statement, quoted. */
export class Identifier {
  readonly text: string;

  constructor(name: string) {
    this.text = `"${name.replaceAll('"', '""')}"`;
  }
}
