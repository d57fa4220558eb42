import { readTask, type Task } from './task.ts';

/** A task of a file, where its place in the file is known to messages. */
export class PlacedTask {
  readonly task: Task;

  constructor(value: unknown, fallbackId: string, place: string) {
    this.task = readTask(value, fallbackId, place);
  }
}
