import { resolve } from 'node:path';

export const workspaceRoot: string = resolve(import.meta.dirname, '../../../..');
