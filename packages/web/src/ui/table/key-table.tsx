import { Kbd, Table } from "@mantine/core";

interface KeyTableProps {
  /** Keys that do the same are separated by a comma and a blank. */
  keys: readonly (readonly [keys: string, command: string])[];
  /** Of the column with the keys, in pixels. */
  width: number;
}

/** Which keys there are, and what each does. */
export function KeyTable({ keys, width }: KeyTableProps) {
  return (
    <Table>
      <Table.Tbody>
        {keys.map(([names, command]) => (
          <Table.Tr key={names}>
            <Table.Th scope="row" w={width} fw={400}>
              {names.split(", ").map((name, index) => (
                <span key={name}>
                  {index > 0 && " "}
                  <Kbd style={{ whiteSpace: "nowrap" }}>{name}</Kbd>
                </span>
              ))}
            </Table.Th>
            <Table.Td>{command}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
