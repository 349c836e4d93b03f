import { t } from "../../texts/run/run.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import classes from "./panel.module.css";

interface Value {
  name: string;
  value?: unknown;
  hiddenValue?: boolean;
  /** The declared type. */
  type?: string | null | undefined;
}

interface TaskValuesProps {
  title: string;
  values: readonly Value[];
  none: string;
  /** Lists values that aren't set in a single line: a task declares many parameters, and most uses set only a few. */
  foldsEmpty?: boolean;
}

/** Parameters or results, one below the other: text unchanged, everything else as formatted JSON. */
export function TaskValues({ title, values, none, foldsEmpty = false }: TaskValuesProps) {
  const empty = foldsEmpty ? values.filter(isEmpty) : [];
  return (
    <>
      <h3>{title}</h3>
      {values.length === 0 && <p className="quiet">{none}</p>}
      <dl className={classes.values}>
        {values
          .filter((one) => !empty.includes(one))
          .map((one) => (
            <OneValue key={one.name} of={one} />
          ))}
      </dl>
      {empty.length > 0 && <p className="quiet">{t("taskValues.emptyOnes", { names: empty.map(({ name }) => name).join(", ") })}</p>}
    </>
  );
}

const isEmpty = ({ value, hiddenValue }: Value) => !hiddenValue && (value === null || textOf(value) === "");

function OneValue({ of: { name, value, hiddenValue, type } }: { of: Value }) {
  const text = textOf(value);
  return (
    <>
      <dt>
        <code>{name}</code> {type && <span className="quiet">{type}</span>}
      </dt>
      <dd>
        {hiddenValue ? (
          <span className="quiet">{t("taskValues.secretValueHidden")}</span>
        ) : text === "" ? (
          <span className="quiet">{t("taskValues.empty")}</span>
        ) : (
          <CopyField value={text} label={name} />
        )}
      </dd>
    </>
  );
}

/** Text that contains JSON is formatted too. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return JSON.stringify(value, null, 2);
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
