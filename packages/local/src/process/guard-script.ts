/**
 * The guard's whole program, POSIX shell so that it costs a megabyte and survives bundling.
 *
 * It reads `add GROUP` and `drop GROUP` from its standard input. The end of that input is the death of the process that
 * started it, however it died: the kernel closes a pipe even after SIGKILL. Every group still listed is killed then.
 *
 * Signals meant for the terminal's foreground job must not end it before its work is done, and neither may the broken
 * pipe that an answer to a dead reader raises.
 */
export const guardScript = `
trap '' INT TERM HUP QUIT PIPE
groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group "; echo "added $group" ;;
    drop)
      case $groups in
        *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
      esac ;;
  esac
done
for group in $groups; do
  kill -s KILL -- "-$group"
done
`;

/**
 * Holds a new process back until it is listed with the guard: it waits for a line on descriptor 3 and becomes the given
 * command only then. Should the parent die first, the descriptor ends and the process goes away by itself.
 */
export const heldStartScript = 'read -r go <&3 && exec "$@" 3<&-';
