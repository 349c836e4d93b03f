// The list of what is shipped, in the format CycloneDX 1.5, for vulnerability scanners. Generated from the lockfile and not with `npm
// sbom`, which omits each package that a development package needs too. It contains no time, so that it is reproducible.

/** @param {{name: string, version: string, description: string, license: string}} product */
export function listComponents(product, packages) {
  const shipped = packages.filter(({ isShipped }) => isShipped).map(componentOf);
  const byRef = new Map(shipped.map((component) => [component["bom-ref"], component]));
  const refs = [...byRef.keys()].sort();
  const { name, version, description, license } = product;
  const root = { type: "application", "bom-ref": refOf(name, version), name, version, description, purl: refOf(name, version) };
  const list = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...root, licenses: [{ license: { id: license } }] } },
    components: refs.map((ref) => byRef.get(ref)),
  };
  return `${JSON.stringify(list, null, 2)}\n`;
}

function componentOf({ name, version, licence, integrity }) {
  const [, digest] = /^sha512-(\S+)/.exec(integrity ?? "") ?? [];
  const content = digest && Buffer.from(digest, "base64").toString("hex");
  const ref = refOf(name, version);
  return {
    type: "library",
    "bom-ref": ref,
    name,
    version,
    purl: ref,
    licenses: [/\s/.test(licence) ? { expression: licence } : { license: { id: licence } }],
    ...(content && { hashes: [{ alg: "SHA-512", content }] }),
  };
}

/** The scope of a name is escaped, its slash is not: https://github.com/package-url/purl-spec */
function refOf(name, version) {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}
