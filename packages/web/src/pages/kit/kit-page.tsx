import { NavLink } from "@mantine/core";
import { PageHeader } from "../../ui/page-header.tsx";
import { ColoursKit, StatusKit, TextKit } from "./basics-kit.tsx";
import { ButtonsKit, StatesKit } from "./buttons-kit.tsx";
import { EditorsKit, FieldsKit } from "./fields-kit.tsx";
import { FormsKit } from "./forms-kit.tsx";
import classes from "./kit.module.css";
import { TablesKit } from "./tables-kit.tsx";

const parts = [
  { id: "colours", title: "Colours", Part: ColoursKit },
  { id: "text", title: "Text, times and Markdown", Part: TextKit },
  { id: "statuses", title: "Statuses", Part: StatusKit },
  { id: "buttons", title: "Buttons and dialogs", Part: ButtonsKit },
  { id: "fields", title: "Fields", Part: FieldsKit },
  { id: "forms", title: "Forms", Part: FormsKit },
  { id: "tables", title: "Tables and lists", Part: TablesKit },
  { id: "states", title: "Empty, loading, error, no permission", Part: StatesKit },
  { id: "editors", title: "Editors and comparisons", Part: EditorsKit },
];

/** Every component of ui/ in all its states, for who designs, builds or tests a screen. */
export function KitPage() {
  return (
    <>
      <PageHeader
        title="Components"
        detail="What the screens are made of, in all states. Times, colours and words here are those of the real screens."
      />
      <div className={classes.columns}>
        <nav aria-label="Components" className={classes.index}>
          {parts.map(({ id, title }) => (
            <NavLink key={id} href={`#${id}`} label={title} className={classes.entry} />
          ))}
        </nav>
        <div className={classes.parts}>
          {parts.map(({ id, title, Part }) => (
            <section key={id} id={id} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`} className={classes.title}>
                {title}
              </h2>
              <Part />
            </section>
          ))}
        </div>
      </div>
    </>
  );
}
