import { AppError } from "../../base/error/app-error.ts";

/** @throws CONFLICT, when there are runs that the deletion of what they belong to would cancel */
export function refuseOpenRuns(owner: string, open: number): void {
  if (open === 0) return;
  const runs = open === 1 ? "1 open run; cancel it first" : `${open} open runs; cancel them first`;
  throw new AppError("CONFLICT", [`${owner} has ${runs}, or delete without force=false, which cancels ${open === 1 ? "it" : "them"}`]);
}
