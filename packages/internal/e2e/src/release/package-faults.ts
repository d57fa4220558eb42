/** A manifest as it is published. */
export interface PublishedManifest {
  name: string;
  version: string;
  keywords?: readonly string[];
  license?: string;
  repository?: { directory?: string };
  engines?: { node?: string };
  dependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
  devDependencies?: Readonly<Record<string, string>>;
}

/** Package as npm would publish it. */
export interface PackedPackage {
  manifest: PublishedManifest;
  /** Sizes in bytes by path, from the package's folder. */
  files: ReadonlyMap<string, number>;
  /** Names of the packages that the sources of the build import, without its tests. */
  imports: readonly string[];
  /** The text of NOTICE; empty where there is none. */
  notice: string;
}

/** The largest package is the command: 650,000 are the libraries that `art adapt` reads and writes sources with. */
const mostBytes = 1_650_000;
const wanted = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];
const allowed =
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|NOTICE|dist\/[\w./-]+\.(?:js|d\.ts)|python\/\w+\.py|skills\/[\w-]+\/SKILL\.md)$/;
const ofTests = /\.(?:test|fixture|engine|peer)\.|(?:^|\/)golden\//;

/** Faults of a package, a sentence each: files, size, what its manifest lacks, and foreign code without its terms. */
export function packageFaults({ manifest, files, imports, notice }: PackedPackage): string[] {
  const faults: string[] = [];
  for (const path of wanted) if (!files.has(path)) faults.push(`${path} is not in it`);
  for (const path of files.keys())
    if (!allowed.test(path) || ofTests.test(path)) faults.push(`${path} is in it, and no user needs that`);
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > mostBytes) faults.push(`it has ${bytes} bytes, more than ${mostBytes}`);

  if ((manifest.keywords?.length ?? 0) < 3) faults.push('its manifest has fewer than three keywords');
  if (manifest.license !== 'Apache-2.0') faults.push(`its license is ${manifest.license}`);
  if (manifest.repository?.directory === undefined)
    faults.push('its manifest names no folder of the repository');
  if (manifest.engines?.node === undefined) faults.push('its manifest names no version of Node');
  if ('funding' in manifest) faults.push('its manifest asks for money');
  for (const [name, range] of Object.entries(manifest.dependencies ?? {}))
    if (/^(?:workspace|catalog|link|file):/.test(range)) faults.push(`it depends on ${name} by ${range}`);

  const own = { ...manifest.dependencies, ...manifest.peerDependencies, [manifest.name]: '' };
  for (const name of new Set(imports))
    if (!(name in own) && isForeign(name) && !notice.includes(`--- ${name} `))
      faults.push(`it contains ${name}, and its NOTICE does not say so`);
  return faults;
}

/** True if a name is that of a package of others, and not of Node's own modules or a relative path. */
function isForeign(name: string): boolean {
  return /^[\w@]/.test(name) && name !== 'node' && !name.startsWith('@art/');
}
