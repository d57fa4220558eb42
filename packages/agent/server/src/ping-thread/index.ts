export { pingThread } from './ping-thread.ts';
