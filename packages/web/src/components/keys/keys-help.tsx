import { Kbd, Modal, SimpleGrid, Table, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "../../texts/frame.ts";
import { letterOf, type Place } from "./use-page-keys.ts";

type Keys = readonly (readonly [keys: string, command: string])[];

const everywhere: Keys = [
  [t("keysHelp.ctrlK"), t("keysHelp.searchPageWorkflowRun")],
  ["[", t("keysHelp.collapseExpandSidebar")],
  ["?", t("keysHelp.showKeyboardShortcuts")],
];
const lists: Keys = [
  ["j", t("keysHelp.nextRow")],
  ["k", t("keysHelp.previousRow")],
  ["Enter", t("keysHelp.openRow")],
  ["/", t("keysHelp.focusFilter")],
  ["x", t("keysHelp.activityActions")],
  ["a", t("keysHelp.approveActions")],
  ["r", t("keysHelp.rejectActions")],
  [",", t("keysHelp.previousRun")],
  [".", t("keysHelp.nextRun")],
];
const designer: Keys = [
  [t("keysHelp.ctrlS"), t("keysHelp.save")],
  [t("keysHelp.ctrlZ"), t("keysHelp.undo")],
  [t("keysHelp.ctrlY"), t("keysHelp.redo")],
  ["?", t("keysHelp.showCanvasShortcuts")],
];

/** All keyboard shortcuts of the interface. @param places the pages that the caller can open from here */
export function KeysHelp({ places, onClose }: { places: readonly Place[]; onClose: () => void }) {
  useFocusReturn();
  const going = places.flatMap(({ name, link }): Keys => {
    const letter = letterOf(link);
    return letter === undefined ? [] : [[`g ${letter}`, link.startsWith("/admin/") ? t("keysHelp.administration") : name]];
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("keysHelp.keyboardShortcuts")}
      size="xl"
      centered
      closeButtonProps={{ "aria-label": t("keysHelp.close") }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <div>
          <KeyTable title={t("keysHelp.go")} keys={going} />
        </div>
        <div>
          <KeyTable title={t("keysHelp.everywhere")} keys={everywhere} />
          <KeyTable title={t("keysHelp.lists")} keys={lists} />
          <KeyTable title={t("keysHelp.designer")} keys={designer} />
        </div>
      </SimpleGrid>
    </Modal>
  );
}

/** After looking up a key, people continue where they were. */
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
