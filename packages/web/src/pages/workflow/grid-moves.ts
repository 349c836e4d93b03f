/** A place in a grid: the row 0 has the runs, the others the tasks. */
export interface GridPlace {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  columns: number;
}

/** Where a key leads from a place in a grid, as in a spreadsheet; undefined: the key is not for the grid. */
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
