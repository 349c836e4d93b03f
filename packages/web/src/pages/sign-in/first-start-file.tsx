/** Where to find what the first start of the service has written down. @param name of the file */
export function FirstStartFile({ name }: { name: string }) {
  return (
    <>
      Created on first start: <code>cat .millrace/{name}</code>, or the file <code>{name}</code> in the folder set by{" "}
      <code>MILLRACE_DATA_DIR</code>.
    </>
  );
}
