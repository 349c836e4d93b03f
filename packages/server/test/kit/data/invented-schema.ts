import { functionFile, type Schema } from "../../../src/store/database/schema/schema-files.ts";

export interface InventedSchema {
  /** The first has the number after the base, and so on. */
  migrations?: [name: string, sql: string][];
  /** Content by name. */
  functions?: Record<string, string>;
  revision?: number;
  base?: Schema["base"];
}

/** A schema of a few statements, to test how schemas are applied; without a base unless one is given. */
export function inventedSchema({ migrations = [], functions = {}, revision = 1, base = { version: 0, sql: [] } }: InventedSchema): Schema {
  return {
    base,
    migrations: migrations.map(([name, sql], index) => ({
      version: base.version + index + 1,
      name,
      sql,
      isBreaking: sql.startsWith("-- breaking"),
    })),
    functions: Object.entries(functions).map(([name, sql]) => functionFile(name, sql)),
    revision,
  };
}
