import { installFreshDraws } from './install-fresh-draws.ts';

// A module that is imported for its effect: `node --import @art/server/snapshot-safe`, or the first import of an agent.
installFreshDraws();
