import { useState } from "react";

/** What is typed in a section, beside what is saved. @param saved as the document has it now */
export function useDraft<Value extends object>(saved: Value) {
  const [typed, setTyped] = useState<Value>();
  const draft = typed ?? saved;
  return {
    draft,
    isChanged: typed !== undefined && JSON.stringify(typed) !== JSON.stringify(saved),
    change: (part: Partial<Value>) => setTyped({ ...draft, ...part }),
    reset: () => setTyped(undefined),
  };
}
