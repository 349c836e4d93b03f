import { t } from "../../texts/sign-in.ts";

/** Where to find what the first start of the service has written down. @param name of the file */
export function FirstStartFile({ name }: { name: string }) {
  return (
    <>
      {t.rich("firstStartFile.createdFirstStartFile", {
        code: () => <code>cat .millrace/{name}</code>,
        code2: () => <code>{name}</code>,
        code3: () => <code>MILLRACE_DATA_DIR</code>,
      })}
    </>
  );
}
