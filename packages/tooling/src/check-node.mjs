/**
 * Runs before anything is installed, with whatever Node the machine has. On Linux the workspace brings its own Node;
 * elsewhere an old one would fail later, in ways that do not say so.
 */
const [major, minor] = process.versions.node.split('.').map(Number);
const bringsOwn = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

if (!bringsOwn && (major < 22 || (major === 22 && minor < 19))) {
  console.error(
    `Expected Node 22.19 or newer on ${process.platform}-${process.arch}, got ${process.versions.node}. Install a newer Node and run the command again.`,
  );
  process.exit(1);
}
