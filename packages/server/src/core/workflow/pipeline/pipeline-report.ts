import type { ErrorDetail } from "../../../base/error/app-error.ts";

/**
 * What the reader of a Pipeline has to say. Paths are JSON pointers into the document; messages continue after the name of the member.
 * What would change the meaning is refused; what has no effect here is noted.
 */
export class PipelineReport {
  readonly refusals: ErrorDetail[] = [];
  readonly notes: ErrorDetail[] = [];

  refuse(path: string, message: string): void {
    this.refusals.push({ path, message });
  }

  note(path: string, message: string): void {
    this.notes.push({ path, message });
  }

  /** Notes each of these members, if present, as having no effect, with its reason. */
  noteMembers(path: string, value: object | undefined, reasons: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(reasons)) if (value && Object.hasOwn(value, name)) this.note(`${path}/${name}`, why);
  }

  refuseMembers(path: string, value: object | undefined, reasons: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(reasons)) if (value && Object.hasOwn(value, name)) this.refuse(`${path}/${name}`, why);
  }
}
