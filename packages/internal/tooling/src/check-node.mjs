/**
 * Runs before anything is installed, with whatever Node the machine has. On Linux the workspace brings its own Node;
 * elsewhere an old one would fail later, in ways that do not say so.
 */
const major = Number.parseInt(process.versions.node);
const bringsOwn = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

// The packages run on Node 22.19; their sources, which are run here as they are, need `await using`.
if (!bringsOwn && major < 24) {
  console.error(
    `Expected Node 24 or newer on ${process.platform}-${process.arch}, got ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exit(1);
}
