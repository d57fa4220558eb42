import { lingeringResponse } from '../../http/lingering-response.ts';
import { withholdContinue } from '../../http/withhold-continue.ts';
import { connectionRelay } from './connection-relay.ts';
import { frontDoor } from './front-door.ts';
import { pingAnswers } from './ping-answers.ts';
import { refuseMalformed } from '../../http/refuse-malformed.ts';
import { requestRelay } from './request-relay.ts';

/**
 * The text that the thread runs. An agent may be bundled into a single file, so the thread cannot have one of its own. The
 * build of this package puts the finished text here (see tsup.config.ts): a bundler that the agent goes through cannot
 * change it, as it would change the functions.
 */
export const frontDoorProgram = `'use strict';
// What compilers wrap functions in to keep their names.
const __name = (given) => given;
const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
(${frontDoor.toString()})(parentPort, workerData, {
  pingAnswers: ${pingAnswers.toString()},
  requestRelay: ${requestRelay.toString()},
  connectionRelay: ${connectionRelay.toString()},
  refuseMalformed: ${refuseMalformed.toString()},
  lingeringResponse: ${lingeringResponse.toString()},
  withholdContinue: ${withholdContinue.toString()},
});
`;
