import { Kbd, Modal, SimpleGrid, Table, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { letterOf, type Place } from "./place-keys.ts";

type Keys = readonly (readonly [keys: string, command: string])[];

const everywhere: Keys = [
  ["Ctrl K", "search for a page, workflow, run or team"],
  ["[", "collapse or expand the sidebar"],
  ["?", "show keyboard shortcuts"],
];
const lists: Keys = [
  ["j", "next row"],
  ["k", "previous row"],
  ["Enter", "open row"],
  ["/", "focus the filter"],
  ["x", "select (activity, actions)"],
  ["a", "approve (actions)"],
  ["r", "reject (actions)"],
];
const designer: Keys = [
  ["Ctrl S", "save"],
  ["Ctrl Z", "undo"],
  ["Ctrl Y", "redo"],
  ["?", "show canvas shortcuts"],
];

/** All keys of the interface. @param places where the caller can go from here */
export function KeysHelp({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  useFocusReturn();
  const going = places.flatMap(({ name, link }): Keys => {
    const letter = letterOf(link);
    return letter === undefined ? [] : [[`g ${letter}`, link.startsWith("/admin/") ? "Administration" : name]];
  });
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="xl" centered closeButtonProps={{ "aria-label": "Close" }}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <div>
          <KeyTable title="Go to" keys={going} />
        </div>
        <div>
          <KeyTable title="Everywhere" keys={everywhere} />
          <KeyTable title="Lists" keys={lists} />
          <KeyTable title="Designer" keys={designer} />
        </div>
      </SimpleGrid>
    </Modal>
  );
}

/** Who looked up a key goes on where he was. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => () => (before instanceof HTMLElement ? before.focus() : undefined), [before]);
}

function KeyTable({ title, keys }: { title: string; keys: Keys }) {
  return (
    <>
      <Title order={3} mb={4}>
        {title}
      </Title>
      <Table verticalSpacing={4} horizontalSpacing={0} mb="md">
        <Table.Tbody>
          {keys.map(([pressed, command]) => (
            <Table.Tr key={pressed}>
              <Table.Th scope="row" w={96} fw={400}>
                {pressed.split(" ").map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{command}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
