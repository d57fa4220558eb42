import { writeSync } from 'node:fs';

// As `engines` of the manifests says, of which package managers warn at most. Import this before everything else: what fails
// in an older Node fails somewhere in the middle, and says nothing about versions.
const needed = { major: 22, minor: 19 } as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < needed.major || (major === needed.major && minor < needed.minor)) {
  // Not a thrown error, which Node would print with its source and its stack.
  writeSync(
    2,
    `ART needs Node ${needed.major}.${needed.minor} or newer, this is ${process.versions.node}. Install a newer one from https://nodejs.org, or correct the base image of the container.\n`,
  );
  process.exit(1);
}
