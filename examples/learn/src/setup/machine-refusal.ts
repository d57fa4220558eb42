/** What this machine lacks, told in one line with what to do; nothing was started or downloaded. */
export class MachineRefusal extends Error {
  override readonly name = 'MachineRefusal';
}
