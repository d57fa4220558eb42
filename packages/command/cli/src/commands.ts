import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Bind } from './cli-context.ts';

/** A command as the list of all shows it. */
export interface CommandEntry {
  /** Its name and arguments, as `Command.command` takes them. */
  usage: string;
  summary: string;
  /** Its file, with all that it needs: a gateway, an AWS SDK and a local AgentCore take their time. */
  load: () => Promise<(bind: Bind) => CommandUnknownOpts>;
}

/** Every command, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    usage: 'init [dir]',
    summary: 'write a project with an agent that can be trained',
    load: async () => {
      const { initCommand, runInit } = await import('@art/create-agent');
      return (bind) => initCommand(bind(runInit));
    },
  },
  {
    usage: 'adapt <agent>',
    summary: 'change an agent so that a trainer can learn from it',
    load: async () => (await import('./commands/adapt.ts')).adaptCommand,
  },
  {
    usage: 'dev <agent...>',
    summary: 'run an agent on a local AgentCore with S3',
    load: async () => (await import('./commands/dev.ts')).devCommand,
  },
  {
    usage: 'invoke [payload]',
    summary: 'send one rollout, or a file of them, and print what became of it',
    load: async () => (await import('./commands/invoke.ts')).invokeCommand,
  },
  {
    usage: 'runs',
    summary: 'list the runs that a journal knows',
    load: async () => (await import('./commands/runs.ts')).runsCommand,
  },
  {
    usage: 'resume <run>',
    summary: 'continue with a run that was interrupted',
    load: async () => (await import('./commands/resume.ts')).resumeCommand,
  },
  {
    usage: 'stop [run]',
    summary: 'stop every session that a run has left',
    load: async () => (await import('./commands/stop.ts')).stopCommand,
  },
  {
    usage: 'gc',
    summary: 'remove finished runs and what killed processes left behind',
    load: async () => (await import('./commands/gc.ts')).gcCommand,
  },
  {
    usage: 'gateway',
    summary: 'start the model gateway that captures tokens',
    load: async () => (await import('./commands/gateway.ts')).gatewayCommand,
  },
  {
    usage: 'view [folders...]',
    summary: 'show runs in a page: progress, transcripts, comparison',
    load: async () => (await import('./commands/view.ts')).viewCommand,
  },
  {
    usage: 'mock-model [script]',
    summary: 'serve a scripted model, to try an agent without a model',
    load: async () => (await import('./commands/mock-model.ts')).mockModelCommand,
  },
  {
    usage: 'collect [agent...]',
    summary: 'serve a trainer in Python with rollouts, rewards and training rows',
    load: async () => (await import('./commands/collect.ts')).collectCommand,
  },
  {
    usage: 'train [agent...]',
    summary: 'train the model of an agent at a training service, or rehearse that here',
    load: async () => (await import('./commands/train.ts')).trainCommand,
  },
  {
    usage: 'report <run>',
    summary: 'write what a training run has brought, as Markdown',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    usage: 'doctor [agent...]',
    summary: 'find out what is wrong with an agent, or with the way to it',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    usage: 'deploy [agent]',
    summary: 'prepare an agent for AWS, and deploy it with --run',
    load: async () => (await import('./commands/deploy.ts')).deployCommand,
  },
  {
    usage: 'eval [agent...]',
    summary: 'run an agent on tasks, and say how good it is',
    load: async () => (await import('./commands/eval.ts')).evalCommand,
  },
  {
    usage: 'matrix [agent...]',
    summary: 'evaluate agents x models x prompts, in one table',
    load: async () => (await import('./commands/matrix.ts')).matrixCommand,
  },
  {
    usage: 'compare [run-or-agent...]',
    summary: 'compare two evaluations, task by task',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  {
    usage: 'improve [agent...]',
    summary: 'find better prompts for an agent, within a budget of rollouts',
    load: async () => (await import('./commands/improve.ts')).improveCommand,
  },
  {
    usage: 'rescore <run>',
    summary: 'judge an evaluation again with another reward',
    load: async () => (await import('./commands/rescore.ts')).rescoreCommand,
  },
  {
    usage: 'tasks <from> <recorded>',
    summary: 'write a file of tasks from recorded rollouts, or from spans of production',
    load: async () => (await import('./commands/tasks.ts')).tasksCommand,
  },
  {
    usage: 'judge [run]',
    summary: 'say how far a judge agrees with the labels of a person, and with itself',
    load: async () => (await import('./commands/judge.ts')).judgeCommand,
  },
  {
    usage: 'audit [reward]',
    summary: 'attack a reward before a policy does',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  {
    usage: 'health <run>',
    summary: 'find out what is wrong with a run although it looks fine',
    load: async () => (await import('./commands/health.ts')).healthCommand,
  },
  {
    usage: 'export <run>',
    summary: 'write the rollouts of an evaluation as data to fine-tune a model on',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    usage: 'ctl <command> [count]',
    summary: 'pause, resume, slow down or stop an evaluation that runs',
    load: async () => (await import('./commands/ctl.ts')).ctlCommand,
  },
];
