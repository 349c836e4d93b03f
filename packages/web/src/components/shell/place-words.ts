/** The service's names of places are titles (`Manage Team`); here they are words like all others (`Manage team`). */
export function placeWords(name: string): string {
  const [first = "", ...rest] = name.split(" ");
  return [first, ...rest.map((word) => (word === word.toUpperCase() ? word : word.toLowerCase()))].join(" ");
}
