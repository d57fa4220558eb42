export const errorCodes = {
  ART_COLLECT_REQUEST_CHANGED:
    'A request of this id was sent before, with other content. Send the same again, or choose a new id.',
  ART_COLLECT_ACKNOWLEDGED:
    'Every group of the request was acknowledged, so that none comes again. Start the trainer from the checkpoint that has them, or give its run another name.',
  ART_COLLECT_UNKNOWN_REQUEST:
    'No request of this id was sent to this `art collect`, or to one over its folder.',
  ART_COLLECT_CANCELLED: 'The request was cancelled. Its id cannot be used again.',
  ART_COLLECT_TAKEN_OVER: 'Another reader asked for the same request, and gets its groups.',
  ART_COLLECT_STOPPING: 'This `art collect` is ending. Send the request again to the next one.',
  ART_COLLECT_DENIED: 'The token of `art collect` is missing or wrong, or the request comes from a web page.',
  ART_AGENT_LIGHTNING_DENIED:
    "Agent Lightning's server wants another key. Set AGL_KEY to the key that its server was started with.",
  ART_AGENT_LIGHTNING_REFUSED:
    'The address of `--agent-lightning` answers otherwise than a server of Agent Lightning 1.0 does.',
} as const;
