import { Kbd, Modal, Table } from "@mantine/core";
import { canvasKeys } from "./use-canvas-keys.ts";

/** Everything can be done without a pointer; this says how. */
export function KeyboardHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal closeButtonProps={{ "aria-label": "Close" }} opened={isOpen} onClose={onClose} title="Keys of the canvas" size="lg" centered>
      <Table>
        <Table.Tbody>
          {canvasKeys.map(([keys, deed]) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" w={320} fw={400}>
                {keys.split(", ").map((key, index) => (
                  <span key={key}>
                    {index > 0 && " "}
                    <Kbd style={{ whiteSpace: "nowrap" }}>{key}</Kbd>
                  </span>
                ))}
              </Table.Th>
              <Table.Td>{deed}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
