/** A place in a grid. Row 0 contains the runs, the other rows contain the tasks. */
export interface GridPlace {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  columns: number;
}

/** The place to which a key moves the focus, as in a spreadsheet; undefined: the grid doesn't handle the key. */
export function moveInGrid(key: string, isFar: boolean, { row, column }: GridPlace, { rows, columns }: GridSize): GridPlace | undefined {
  switch (key) {
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(columns - 1, column + 1) };
    case "ArrowUp":
      return { row: Math.max(0, row - 1), column };
    case "ArrowDown":
      return { row: Math.min(rows - 1, row + 1), column };
    case "PageUp":
      return { row: 0, column };
    case "PageDown":
      return { row: rows - 1, column };
    case "Home":
      return { row: isFar ? 0 : row, column: 0 };
    case "End":
      return { row: isFar ? rows - 1 : row, column: columns - 1 };
    default:
      return undefined;
  }
}
