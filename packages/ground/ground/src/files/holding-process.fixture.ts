import { holdFolder } from './hold-folder.ts';

// Holds a folder until it is killed.
const [folder = ''] = process.argv.slice(2);
await holdFolder(folder, { facts: { from: 'fixture' } });
process.stdout.write('held\n');
setInterval(() => undefined, 60_000);
