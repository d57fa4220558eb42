// That of the server, for agents that depend on this package alone.
import '@art/server/snapshot-safe';
