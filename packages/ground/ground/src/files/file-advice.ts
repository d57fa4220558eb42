import { readMember } from '../errors/read-member.ts';

const advice: Record<string, string> = {
  EACCES: 'This process may not use that path; give its user access, or choose another place.',
  EPERM:
    'The file system refuses this, for lack of rights or because it has no hard links; choose another place.',
  EROFS: 'The file system is read-only; choose another place.',
  ENOSPC: 'The disk is full; free some space or choose another place.',
  EDQUOT: "The user's disk quota is used up; free some space or choose another place.",
  EFBIG: 'The file is larger than the system or a limit of this process allows (ulimit -f).',
  ENAMETOOLONG: 'The path is longer than this system allows; choose shorter names.',
  EMFILE: 'Too many open files; raise the limit (ulimit -n) or do less at once.',
  ENFILE: 'Too many open files on this machine; close some.',
  ENOTDIR: 'A file is where a folder should be; choose another place.',
  EISDIR: 'A folder is where a file should be; choose another place.',
  ELOOP: 'Symbolic links lead in a circle; choose another place.',
  EIO: 'The disk failed, or the bucket that is mounted there: see to the rights of the role that mounts it.',
  ENOTCONN: 'What had mounted a file system there has ended.',
  ESTALE: 'The file system that was mounted there has gone; mount it again.',
};

// A port below 1024 is EACCES, too.
const callsOfSockets = new Set(['listen', 'bind', 'connect']);

/** Advice on a system's refusal to read or write a file; undefined for any other value. */
export function fileAdvice(thrown: unknown): string | undefined {
  const [code, call] = [readMember(thrown, 'code'), readMember(thrown, 'syscall')];
  if (typeof code !== 'string' || typeof call !== 'string' || callsOfSockets.has(call)) return undefined;
  return advice[code === 'EEXIST' && call === 'mkdir' ? 'ENOTDIR' : code];
}
