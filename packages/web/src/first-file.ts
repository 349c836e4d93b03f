/**
 * Imports what every screen needs, so that it is part of the first file: each further file is another request before anything is drawn. The
 * bundler keeps modules used by the entry, and the styles it names, together with the entry. `size.test.ts` has the budgets.
 */
import "./components/command-palette/command-palette.module.css";
import "./components/shell/shell.module.css";
import "./pages/home/home.module.css";
import "./pages/home/on-call.module.css";
import "./ui/copy-field.module.css";
import "./ui/mark/tone-mark.module.css";
import "./ui/table/data-table.module.css";
import "./ui/table/scroll-box.module.css";
import { ActionIcon, Input, InputBase } from "@mantine/core";
import { useDebouncedCallback, useUncontrolled } from "@mantine/hooks";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { callerQuery } from "./api/queries/identity/session.ts";
import { useSearchState } from "./hooks/use-search-state.ts";
import { ActionButton } from "./ui/dialog/action-button.tsx";

export const firstFile = [
  ...[ActionIcon, Input, InputBase, ActionButton],
  ...[useDebouncedCallback, useUncontrolled, useQuery, useSuspenseQuery, useSearchState, callerQuery],
] as const;
