import changelog from '@changesets/cli/changelog';

/** As the default, but for the list of versions of other packages of the workspace: all packages share one version. */
export default { ...changelog, getDependencyReleaseLine: async () => '' };
