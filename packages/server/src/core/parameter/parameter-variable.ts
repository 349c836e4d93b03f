import type { Warning } from "../run/run-state.ts";
import type { NamedValue } from "../workflow/plan.ts";

/** `PARAM_<NAME>`, the environment variable of a parameter: upper case, with `_` for every character except letters and digits. */
export function parameterVariable(name: string): string {
  return `PARAM_${name.replace(/[^A-Za-z0-9]/g, "_").toUpperCase()}`;
}

/** Different names may give the same variable, which has the value of the last one; authors of scripts that read it should be warned. */
export function sharedVariableWarnings(params: readonly NamedValue[]): Warning[] {
  const namesOf = new Map<string, string[]>();
  for (const { name } of params) {
    const names = namesOf.get(parameterVariable(name));
    if (names) names.push(name);
    else namesOf.set(parameterVariable(name), [name]);
  }
  return [...namesOf].flatMap(([variable, names]) => {
    if (names.length === 1) return [];
    const list = names.map((name) => `"${name}"`).join(" and ");
    return [
      {
        code: "SHARED_VARIABLE",
        reference: variable,
        why: `the parameters ${list} share this variable; it has the value of "${names.at(-1)}"`,
      },
    ];
  });
}
