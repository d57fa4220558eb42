/** Names the missing part of this machine in one line with the remedy; nothing was started or downloaded. */
export class MachineRefusal extends Error {
  override readonly name = 'MachineRefusal';
}
