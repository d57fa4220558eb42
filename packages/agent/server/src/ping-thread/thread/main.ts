/** The program of the thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { frontDoor } from './front-door.ts';
import type { FrontDoorStart } from './front-door-messages.ts';

if (parentPort !== null) frontDoor(parentPort, workerData as FrontDoorStart);
