/** Where to find what the first start of the service has written down. @param name of the file */
export function FirstStartFile({ name }: { name: string }) {
  return (
    <>
      The first start wrote one: <code>cat .millrace/{name}</code>, or the file <code>{name}</code> of the folder that{" "}
      <code>MILLRACE_DATA_DIR</code> names.
    </>
  );
}
