/** What the service has to say about one place of the document. */
export interface PlacedFault {
  path: string;
  message: string;
}

/** Of that place and all below it, for the field that shows it. The words name the path; the field stands at it, so they begin after it. */
export function faultAt(faults: readonly PlacedFault[], ...path: (string | number)[]): string | undefined {
  const place = `/${path.join("/")}`;
  const fault = faults.find((one) => one.path === place || one.path.startsWith(`${place}/`));
  if (fault === undefined) return undefined;
  const words = fault.message.startsWith(`${path.join(".")} `) ? fault.message.slice(path.join(".").length + 1) : fault.message;
  return words;
}

/** How many of them are below the place. */
export function countFaults(faults: readonly PlacedFault[], ...places: string[]): number {
  return faults.filter(({ path }) => places.some((place) => path === place || path.startsWith(`${place}/`))).length;
}
