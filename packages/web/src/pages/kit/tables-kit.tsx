import { Button, Text } from "@mantine/core";
import { ApiError } from "@millrace/client/api-error.ts";
import { useState } from "react";
import { EditAndDelete } from "../../ui/dialog/action-button.tsx";
import { ListSection, NothingFound } from "../../ui/list/list-page.tsx";
import { FilterSelect, SearchField } from "../../ui/list/search-field.tsx";
import { StateMark } from "../../ui/mark/state-mark.tsx";
import { EmptyState } from "../../ui/state/notice.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { KeyTable, RowLink } from "../../ui/table/scroll-box.tsx";
import { useSelection } from "../../ui/table/use-selection.ts";
import { Example } from "./example.tsx";

interface Plant {
  id: string;
  name: string;
  kind: string;
  leaves: number;
  isGrowing: boolean;
}

const plants: Plant[] = [
  { id: "1", name: "ash", kind: "Trees", leaves: 120_000, isGrowing: true },
  { id: "2", name: "clover", kind: "Herbs", leaves: 3, isGrowing: true },
  { id: "3", name: "yew", kind: "Trees", leaves: 90_000, isGrowing: false },
];
const nothing = () => {};
const keyOf = ({ id }: Plant) => id;

const columns: Column<Plant>[] = [
  { title: "Plant", sortBy: "name", cell: ({ name }) => <RowLink to=".">{name}</RowLink> },
  { title: "Kind", cell: ({ kind }) => kind },
  {
    title: "State",
    kind: "short",
    cell: ({ isGrowing }) => <StateMark {...(isGrowing ? { tone: "on", word: "Growing" } : { tone: "rest", word: "Asleep" })} />,
  },
  {
    title: "Leaves",
    kind: "number",
    sortBy: "leaves",
    sortsDownFirst: true,
    hint: "In July",
    cell: ({ leaves }) => leaves.toLocaleString(),
  },
  {
    title: "Actions",
    kind: "actions",
    cell: ({ name, isGrowing }) => (
      <EditAndDelete
        of={name}
        whyNotEdit={undefined}
        whyNotDelete={isGrowing ? "It is growing. Wait for the winter." : undefined}
        onEdit={nothing}
        onDelete={nothing}
      />
    ),
  },
];

export function TablesKit() {
  return (
    <>
      <Example name="DataTable: sorted by a column">
        <SortedTable />
      </Example>
      <Example name="DataTable: rows that can be selected, and one that can't">
        <SelectedTable />
      </Example>
      <Example name="DataTable: in groups, with the row that is shown beside it">
        <DataTable
          label="Plants by kind"
          columns={columns}
          rows={plants}
          keyOf={keyOf}
          groupOf={({ kind }) => kind}
          isChosen={({ id }) => id === "3"}
        />
      </Example>
      <Example name="DataTable: wider than its place, higher than its box">
        <DataTable label="Many plants" columns={columns} rows={manyPlants} keyOf={keyOf} minWidth={1040} maxHeight={200} />
      </Example>
      <Example name="DataTable: while it loads" isFramed>
        <DataTable
          label="Plants to come"
          columns={columns}
          rows={undefined}
          query={{ data: undefined, error: null }}
          loadingRows={2}
          keyOf={keyOf}
        />
      </Example>
      <Example name="DataTable: could not be loaded">
        <DataTable
          label="Lost plants"
          columns={columns}
          rows={undefined}
          query={{ data: undefined, error: lost, refetch: nothing }}
          keyOf={keyOf}
        />
      </Example>
      <Example name="ListSection: note, action, filters, pages; nothing is there yet" isFramed>
        <ListSection
          note="Plants are watered every morning."
          actions={<Button size="xs">Plant one</Button>}
          pages={{ page: 1, size: 2, total: 7, onChange: nothing }}
        >
          <DataTable
            label="No plants"
            columns={columns}
            rows={[]}
            keyOf={keyOf}
            empty={
              <EmptyState title="No plants yet">
                <Text className="quiet">A plant turns light into leaves.</Text>
              </EmptyState>
            }
          />
        </ListSection>
      </Example>
      <Example name="SearchField and FilterSelect, above a list in which nothing was found" isFramed>
        <SearchField label="Search plants" placeholder="Name" value="palm" onSearch={nothing} />
        <FilterSelect label="Kind of plant" any="Any kind" choices={[["trees", "Trees"]]} value="" onChange={nothing} />
        <NothingFound things="plants" search="palm" onClear={nothing} />
      </Example>
      <Example name="KeyTable: which keys there are">
        <KeyTable
          width={160}
          keys={[
            ["j, ↓", "Next row"],
            ["?", "Show these keys"],
          ]}
        />
      </Example>
    </>
  );
}

const manyPlants = Array.from({ length: 12 }, (_, index) => ({
  ...(plants[index % 3] as Plant),
  id: String(index),
  name: `plant ${index + 1}`,
}));
const lost = new ApiError(500, "INTERNAL", "Something went wrong.", "5f0c2a");

function SortedTable() {
  const [{ by, isDescending }, setSort] = useState({ by: "leaves", isDescending: true });
  const order = (one: Plant, other: Plant) => (by === "leaves" ? one.leaves - other.leaves : one.name.localeCompare(other.name));
  return (
    <DataTable
      label="Sorted plants"
      columns={columns}
      rows={plants.toSorted((one, other) => order(one, other) * (isDescending ? -1 : 1))}
      keyOf={keyOf}
      sorting={{ by, isDescending, onSort: (next, down) => setSort({ by: next, isDescending: down }) }}
    />
  );
}

function SelectedTable() {
  const selection = useSelection<Plant>();
  return (
    <DataTable
      label="Plants to choose from"
      columns={columns.slice(0, 4)}
      rows={plants}
      keyOf={keyOf}
      selection={{
        ...selection,
        allLabel: "Select all plants that grow",
        labelOf: ({ name }) => `Select ${name}`,
        canSelect: ({ isGrowing }) => isGrowing,
      }}
    />
  );
}
