import { Component, type ComponentChildren } from 'preact';

/** Guards the page: a part that cannot be shown says so, and leaves the rest as it is. */
export class Guarded extends Component<{ children: ComponentChildren }, { problem: string | undefined }> {
  override state = { problem: undefined };

  static override getDerivedStateFromError(error: unknown): { problem: string } {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render(): ComponentChildren {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <main>
        <p class="trouble" role="alert">
          This cannot be shown: {problem}
        </p>
      </main>
    );
  }
}
