import type { TaskParam } from "@millrace/contract/task/task.ts";
import type { ErrorDetail } from "../../base/error/app-error.ts";

export function duplicates(what: string, path: string, list: readonly { name?: string }[] = []): ErrorDetail[] {
  const seen = new Set<string>();
  return list.flatMap(({ name }, index) => {
    if (name === undefined || name === "") return [];
    if (!seen.has(name)) return seen.add(name) && [];
    return [{ path: `${path}/${index}/name`, message: `is ${name}, but another of the ${what} has that name; names must differ` }];
  });
}

export function paramFaults(param: TaskParam, index: number): ErrorDetail[] {
  const path = `/spec/params/${index}`;
  const { enum: allowed, default: value } = param;
  if (/[\p{Cc}()]/u.test(param.name)) return [{ path: `${path}/name`, message: "must not contain parentheses or control characters" }];
  if (!Array.isArray(allowed) || value === undefined || allowed.includes(value as string)) return [];
  return [{ path: `${path}/default`, message: `is not one of the values in enum: ${allowed.join(", ")}` }];
}

/** Names of results and workspaces are used as names of files and folders. */
export function fileNameFaults(what: string, path: string, list: readonly { name: string }[] = []): ErrorDetail[] {
  return list.flatMap(({ name }, index) =>
    /^[A-Za-z0-9_][\w.-]{0,199}$/.test(name)
      ? []
      : [
          {
            path: `${path}/${index}/name`,
            message: `is ${JSON.stringify(name)}; the name of a ${what} has letters, digits, _, - and dots`,
          },
        ],
  );
}
