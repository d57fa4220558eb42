import { checkMachine, readMachine } from '@art/example-learn/check-machine';
import {
  announceInstallation,
  installEnvironment,
  locateEnvironment,
} from '@art/example-learn/python-environment';

/** Says what is needed, and gets what is missing, before the first test. @throws MachineRefusal */
export async function prepareMachine(): Promise<void> {
  checkMachine(await readMachine());
  const environment = await locateEnvironment(process.env);
  console.log(
    `A real vLLM on this machine's processors, 6 GB of memory, some five minutes: ${environment.folder}`,
  );
  if (environment.isThere) return;
  console.log(await announceInstallation(environment));
  await installEnvironment(environment, new AbortController().signal);
}
